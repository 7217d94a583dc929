// Sentences with live numbers, gauges and rows of figures. Each maker returns {node, draw}.

function createPart(view, data) {
  if (data.kind === "gauge") return createGauge(view, data)
  if (data.kind === "dots") return createDots(view, data)
  return createText(view, data)
}

// A sentence; its slots are elements of their own, so that only their text changes while a slider moves.
function createText(view, data) {
  const node = el("p", { class: `text ${data.size}`, "data-spoken": data.spoken })
  let shown = -1
  let slots = []
  const build = (template) => {
    slots = []
    node.replaceChildren()
    for (const piece of template.split(/(\{\w+\})/)) {
      const name = piece.slice(1, -1)
      const slot = piece.startsWith("{") && data.slots[name]
      if (slot) {
        const number = el(slot.strong ? "strong" : "span", { class: "slot" })
        slots.push({ slot, number })
        node.append(number)
      } else if (piece) node.append(piece)
    }
  }
  const draw = () => {
    const which = data.which === null ? 0 : pick(view.arrays[data.which], view.index)[0]
    if (which !== shown) build(data.templates[which])
    shown = which
    for (const { slot, number } of slots) {
      const text = view.write(pick(view.arrays[slot.values], view.index)[0], slot.style, slot.digits)
      if (number.textContent !== text) number.textContent = text
    }
  }
  return { node, draw }
}

function createGauge(view, data) {
  const number = el("span", { class: "value" })
  const bar = el("span", { class: "bar" })
  const name = el("span", { class: "name" }, glyph(data.symbol, data.color), data.name)
  const node = el("div", { class: "gauge" }, name, number, el("span", { class: "track" }, bar))
  const note = data.note && createText(view, data.note)
  if (note) node.append(note.node)
  bar.style.background = data.color
  const draw = () => {
    const value = pick(view.arrays[data.slot.values], view.index)[0]
    number.textContent = view.write(value, data.slot.style, data.slot.digits)
    bar.style.width = `${Math.min(Math.max(value / data.full, 0), 1) * 100}%`
    if (note) note.draw()
  }
  return { node, draw }
}

const PERSON = "M0 -8.2A3.4 3.4 0 1 1 0 -1.4A3.4 3.4 0 1 1 0 -8.2ZM-5.4 8.5V4.6A5.4 5.2 0 0 1 5.4 4.6V8.5Z"

// Small figures in rows of twenty: filled ones are counted, hollow ones are not.
function createDots(view, data) {
  const across = 20
  const rows = Math.ceil(data.of / across)
  const box = svg("svg", { viewBox: `0 0 ${across * 16} ${rows * 22}`, "aria-hidden": "true" })
  const figures = Array.from({ length: data.of }, (_, i) => {
    const x = 8 + (i % across) * 16
    const y = 11 + Math.floor(i / across) * 22
    return svg("path", { d: PERSON, transform: `translate(${x} ${y})` })
  })
  box.append(...figures)
  const label = el("span", { class: "label" })
  const node = el("div", { class: "dots", role: "img" }, label, box)
  node.style.setProperty("--fill", color(data.color))
  let shown = ""
  const draw = () => {
    const count = Math.round(pick(view.arrays[data.shares], view.index)[0] * data.of)
    const base = data.base === null ? 0 : Math.round(pick(view.arrays[data.base], view.index)[0] * data.of)
    if (shown === `${count} ${base}`) return
    shown = `${count} ${base}`
    const said = view.data.words.of
      .replace("{count}", view.write(count, "number", 6))
      .replace("{total}", view.write(data.of, "number", 6))
    label.textContent = view.data.words.labelled.replace("{label}", data.label).replace("{value}", said)
    node.setAttribute("aria-label", label.textContent)
    figures.forEach((figure, i) => {
      const kind = i >= count ? "out" : i < base ? "base" : "in"
      if (figure.getAttribute("class") !== kind) figure.setAttribute("class", kind)
    })
  }
  return { node, draw }
}

// All parts of one column, rebuilt when new data arrive and updated while a slider moves.
function createParts(view) {
  const node = el("div", { class: "parts" })
  // Screen readers hear the sentences once the value rests, not thirty times a second.
  const spoken = el("div", { class: "spoken", "aria-live": "polite", role: "status" })
  let parts = []
  let timer = 0
  const update = (all) => {
    parts = all.map((data) => createPart(view, data))
    const groups = []
    parts.forEach((part, i) => {
      const kind = all[i].kind
      const before = groups.at(-1)
      if (kind !== "text" && before && before.dataset.kind === kind) before.append(part.node)
      else groups.push(kind === "text" ? part.node : el("div", { class: `group ${kind}s`, "data-kind": kind }, part.node))
    })
    node.replaceChildren(...groups)
  }
  const draw = () => parts.forEach((part) => part.draw())
  const say = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const sentences = [...node.querySelectorAll("[data-spoken]")].map((sentence) => sentence.textContent)
      spoken.textContent = sentences.join(" ")
    }, 700)
  }
  return { node, spoken, update, draw, say, destroy: () => clearTimeout(timer) }
}
