// Takes the picture home: as SVG, as PNG, or as one HTML page that works without a network.

const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linejoin",
  "stroke-linecap", "opacity", "font-size", "font-weight", "text-anchor", "paint-order", "display",
]
// An image cannot use the page's fonts; measured and drawn in the same one, lines end where they should.
const FAMILY = "sans-serif"

function createMenu(view) {
  const summary = el("summary")
  const list = el("div", { class: "choices" })
  const node = el("details", { class: "menu" }, summary, list)
  const save = {
    svg: () => download(view, "svg", new Blob([standaloneSvg(view).text], { type: "image/svg+xml" })),
    png: () => savePng(view),
    html: () => download(view, "html", new Blob([standaloneHtml(view)], { type: "text/html" })),
  }
  const buttons = Object.entries(save).map(([kind, action]) => {
    const button = el("button", { type: "button", "data-save": kind })
    button.onclick = () => {
      action()
      node.open = false
    }
    list.append(button)
    return [kind, button]
  })
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return
    node.open = false
    summary.focus()
  })
  node.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !node.contains(event.relatedTarget)) node.open = false
  })
  const update = () => {
    summary.textContent = view.data.words.menu
    for (const [kind, button] of buttons) button.textContent = view.data.words[kind]
  }
  return { node, update }
}

function download(view, ending, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: `${view.data.file}.${ending}` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

// Any CSS colour as rgb(): other programs do not know color-mix() or color().
const painted = new Map()
function plain(value) {
  if (!/color\(|color-mix|oklab|oklch/.test(value)) return value
  if (!painted.has(value)) {
    const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d")
    brush.fillStyle = value
    brush.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
    painted.set(value, a === 255 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${a / 255})`)
  }
  return painted.get(value)
}

// A copy of an SVG element whose looks no longer depend on a style sheet.
function frozen(node) {
  const copy = node.cloneNode(true)
  const from = [node, ...node.querySelectorAll("*")]
  const to = [copy, ...copy.querySelectorAll("*")]
  from.forEach((original, i) => {
    const style = getComputedStyle(original)
    to[i].removeAttribute("class")
    to[i].removeAttribute("style")
    for (const name of KEPT) {
      const value = style.getPropertyValue(name)
      if (!value || (name === "display" && value !== "none")) continue
      const font = name.startsWith("font") || name === "text-anchor"
      if (font && original.tagName !== "text") continue
      to[i].setAttribute(name, plain(value))
    }
    if (original.tagName === "text") to[i].setAttribute("font-family", FAMILY)
  })
  return copy
}

function wrap(text, font, width) {
  const ruler = document.createElement("canvas").getContext("2d")
  ruler.font = font
  const lines = [""]
  for (const word of text.split(/(?<=[\s　])/)) {
    const longer = lines.at(-1) + word
    if (ruler.measureText(longer.trimEnd()).width > width && lines.at(-1)) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => line.trim()).filter(Boolean)
}

// Title, picture, legend and sentences as one SVG of {text, width, height}.
function standaloneSvg(view) {
  const style = getComputedStyle(view.host)
  const ink = plain(style.color)
  const family = FAMILY
  const drawing = view.drawing()
  const width = Math.max(drawing.width, 560)
  const page = svg("svg", { xmlns: SVG, lang: view.data.language })
  let y = 16
  const write = (text, size, weight) => {
    for (const line of wrap(text, `${weight} ${size}px ${family}`, width - 32)) {
      y += size * 1.4
      const attributes = { x: 16, y, fill: ink, "font-size": size, "font-weight": weight, "font-family": family }
      page.append(svg("text", attributes, line))
    }
  }
  page.append(svg("title", {}, view.data.title), svg("desc", {}, view.data.alt))
  page.append(svg("rect", { width: "100%", height: "100%", fill: plain(background(view.host)) }))
  write(view.data.title, 20, 700)
  y += 12
  set(drawing.node, { x: (width - drawing.width) / 2, y })
  page.append(drawing.node)
  y += drawing.height + 8
  let x = 16
  for (const item of view.host.querySelectorAll(".legend li")) {
    const name = item.textContent
    const size = 40 + name.length * 8
    if (x + size > width && x > 16) {
      x = 16
      y += 24
    }
    const sample = frozen(item.querySelector("svg"))
    set(sample, { x, y })
    page.append(sample)
    page.append(svg("text", { x: x + 40, y: y + 14, fill: ink, "font-size": 14, "font-family": family }, name))
    x += size + 20
  }
  if (x > 16) y += 24
  y += 4
  for (const slider of view.host.querySelectorAll(".slider .head")) {
    write(`${slider.querySelector("label").textContent}: ${slider.querySelector("output").textContent}`, 14, 700)
  }
  const tidy = (node) => node.innerText.replace(/\s+/g, " ").trim()
  for (const sentence of view.host.querySelectorAll(".lane, .text, .gauge, .dots .label")) {
    if (sentence.matches(".lane")) write(`${tidy(sentence.querySelector(".name b"))}: ${tidy(sentence.querySelector(".verdict"))}`, 14, 400)
    else if (!sentence.matches(".gauge .text, .lane .text")) write(tidy(sentence), 14, 400)
  }
  write(view.data.caption, 14, 400)
  const height = Math.ceil(y + 20)
  set(page, { width, height, viewBox: `0 0 ${width} ${height}` })
  return { text: new XMLSerializer().serializeToString(page), width, height }
}

function background(host) {
  return getComputedStyle(host).getPropertyValue("--st-background-color").trim() || "white"
}

function savePng(view) {
  const { text, width, height } = standaloneSvg(view)
  const image = new Image()
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: width * 2, height: height * 2 })
    const brush = canvas.getContext("2d")
    brush.scale(2, 2)
    brush.drawImage(image, 0, 0)
    canvas.toBlob((blob) => download(view, "png", blob), "image/png")
  }
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
}

const THEME = [
  "text-color", "background-color", "secondary-background-color", "border-color", "primary-color", "base-radius",
  "button-radius",
]

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;")
}

// One page with this very program and its data inside; its policy forbids any request.
function standaloneHtml(view) {
  const style = getComputedStyle(view.host)
  const theme = THEME.map((name) => `--st-${name}:${style.getPropertyValue(`--st-${name}`)}`).join(";")
  const sheets = [...view.host.getRootNode().querySelectorAll("style")].map((sheet) => sheet.textContent).join("\n")
  const sliders = view.data.sliders.map((slider) => ({ ...slider, index: view.index[slider.name] }))
  const data = JSON.stringify({ ...view.data, sliders, heard: 0 }).replace(/</g, "\\u003c")
  const code = view.source.toString().replace(/<\/(script)/gi, "<\\/$1")
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
  return `<!doctype html>
<html lang="${escaped(view.data.language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(view.data.title)}</title>
<style>:root{${theme}}
body{margin:0 auto;max-width:1100px;padding:1.5rem;background:var(--st-background-color);color:var(--st-text-color);
font-family:"Source Sans","Source Sans 3","Noto Sans KR",system-ui,sans-serif;font-size:16px}
${sheets}</style></head><body><main><h1>${escaped(view.data.title)}</h1>
<div class="live" data-kind="${escaped(view.host.dataset.kind)}"></div>
<p>${escaped(view.data.caption)}</p></main>
<script>
const program = ${code}
program().mount(document.querySelector(".live"), program).update(${data}, null)
</${"script"}></body></html>
`
}
