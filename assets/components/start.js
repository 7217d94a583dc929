// The start page: one report arrives, four auditors decide, and the records with and without it are compared.

const PACE = 140

function mount(host, source) {
  const view = { host, source, data: null, index: { run: 0, report: 1 }, arrays: [], commit: null, drawn: 0 }
  view.commits = createCommits(view)
  const still = matchMedia("(prefers-reduced-motion: reduce)")
  const parts = createParts(view)
  const lanes = createLanes(view)
  const draw = () => {
    lanes.draw()
    parts.draw()
    view.drawn += 1
    host.dataset.drawn = view.drawn
  }
  const redraw = perFrame(draw)
  const sliders = createSliders(view, () => {
    redraw()
    parts.say()
  })
  const menu = createMenu(view)

  // The record is drawn audit by audit, from `first` on.
  let clock = 0
  const play = (first) => {
    clearInterval(clock)
    view.step = still.matches ? view.data.steps : first
    clock = setInterval(() => {
      if (view.step >= view.data.steps) clearInterval(clock)
      else {
        view.step += 1
        redraw()
      }
    }, PACE)
    draw()
  }
  lanes.scrub.addEventListener("input", () => {
    clearInterval(clock)
    view.step = Number(lanes.scrub.value)
    redraw()
  })

  const file = el("button", { type: "button", class: "primary", "data-do": "report" })
  const another = el("button", { type: "button", "data-do": "run" })
  const show = (first) => {
    lanes.build()
    file.textContent = view.index.report ? view.data.words.take_back : view.data.words.file
    play(first)
    parts.say()
  }
  file.onclick = () => {
    view.index.report = 1 - view.index.report
    view.commits.tell("report", view.index.report)
    // Both worlds are the same until the report arrives.
    show(view.data.report_step - 1)
  }
  another.onclick = () => {
    view.index.run = (view.index.run + 1) % view.data.runs
    view.commits.tell("run", view.index.run)
    show(0)
  }

  const bar = el("div", { class: "buttons" }, file, another, lanes.scrubber)
  const side = el("div", { class: "side" }, sliders.node, parts.node, menu.node)
  const grid = el("div", { class: "start" }, bar, lanes.tiles, lanes.node, side)
  host.replaceChildren(grid, parts.spoken)

  view.drawing = () => drawRecords(view)
  view.settle = () => {
    sliders.update(view.data.sliders)
    redraw()
  }
  const update = (data, commit) => {
    const first = !view.data
    view.data = data
    view.commit = commit
    view.arrays = data.arrays.map(decode)
    view.write = numbers(data.language, data.percent)
    host.lang = data.language
    view.commits.heard(data.heard)
    const before = { ...view.index }
    for (const name of ["run", "report"]) if (!view.commits.waits(name)) view.index[name] = data[name]
    sliders.update(data.sliders)
    parts.update(data.parts)
    menu.update()
    another.textContent = data.words.another
    file.textContent = view.index.report ? data.words.take_back : data.words.file
    lanes.build()
    if (first || before.run !== view.index.run) play(0)
    else draw()
  }
  const destroy = () => {
    clearInterval(clock)
    redraw.cancel()
    sliders.destroy()
    parts.destroy()
  }
  return { update, destroy }
}

// What a lane shows now: the record, and whether each audit differs in the other world.
function readLane(view, lane) {
  const array = view.arrays[lane.records]
  const shown = pick(array, view.index)
  const other = pick(array, { ...view.index, report: 1 - view.index.report })
  return Array.from(shown, (target, i) => ({ target, differs: target !== other[i] }))
}

function createLanes(view) {
  const tiles = el("div", { class: "tiles", role: "img" })
  const rows = el("div", { class: "rows" })
  const legend = el("p", { class: "key" })
  const word = el("label", { class: "word", for: "scrub" })
  const scrub = el("input", { type: "range", id: "scrub", min: 0, step: 1 })
  const scrubber = el("div", { class: "scrub" }, word, scrub)
  const node = el("div", { class: "lanes" }, legend, rows)
  let built = []
  let places = []

  const build = () => {
    const { data } = view
    legend.replaceChildren(...keyTo(view))
    scrub.max = data.steps
    built = data.lanes.map((lane) => {
      const cells = Array.from({ length: data.steps }, () => el("span", { class: "cell", "data-fixed": "cell" }))
      cells[data.report_step - 1].dataset.fixed += view.index.report ? " arrives" : " withheld"
      const strip = el("div", { class: "strip", role: "img" }, ...cells)
      const head = createText(view, lane.head)
      const note = createText(view, lane.note)
      const now = createText(view, lane.now)
      const title = el("div", { class: "name" }, el("b", {}, glyph(lane.symbol, lane.color, 16), lane.name), el("span", {}, lane.line))
      const row = el("div", { class: "lane", "data-lane": lane.id }, title, strip, el("div", { class: "verdict" }, head.node, note.node, now.node))
      row.style.setProperty("--lane", lane.color)
      return { lane, cells, strip, row, texts: [head, note, now] }
    })
    rows.replaceChildren(...built.map((one) => one.row))
    places = Array.from({ length: data.targets }, (_, i) => {
      const marks = el("span", { class: "marks" })
      const yours = i + 1 === data.target
      const letter = yours && view.index.report ? el("span", { class: "letter" }, "✉\ufe0e") : ""
      const tile = el("div", { class: `tile${yours ? " yours" : ""}` }, el("b", {}, i + 1), yours ? el("span", { class: "you" }, data.words.you) : "", letter, marks)
      return { tile, marks }
    })
    tiles.replaceChildren(...places.map((place) => place.tile))
    tiles.removeAttribute("aria-label")
  }

  const draw = () => {
    const { data } = view
    const step = view.step
    const heading = data.words.step.replace("{step}", step).replace("{steps}", data.steps)
    const seen = []
    for (const { lane, cells, strip, texts } of built) {
      const record = readLane(view, lane)
      cells.forEach((cell, i) => {
        const { target, differs } = record[i]
        const looks = [cell.dataset.fixed]
        if (i < step) looks.push("seen", target === data.target && "mine", differs && "differs", i === step - 1 && "now")
        change(cell, i < step ? target : "", looks.filter(Boolean).join(" "))
      })
      const list = record.slice(0, step).map((audit) => (audit.differs ? `${audit.target} (${data.words.different})` : audit.target))
      name(strip, `${lane.name}: ${list.join(", ")}`)
      texts.forEach((text) => text.draw())
      if (step > 0) seen.push({ lane, target: record[step - 1].target })
    }
    const said = `${data.alt} ${heading}. ${seen.map((one) => `${one.lane.name}: ${one.target}`).join(", ")}`
    if (tiles.getAttribute("aria-label") === said) return
    name(tiles, said)
    word.textContent = heading
    scrub.value = step
    scrub.setAttribute("aria-valuetext", heading)
    scrub.style.setProperty("--part", step / data.steps)
    places.forEach((place, i) => {
      const here = seen.filter((one) => one.target === i + 1).map((one) => glyph(one.lane.symbol, one.lane.color, 16))
      place.marks.replaceChildren(...here)
      place.tile.classList.toggle("audited", here.length > 0)
    })
    places[data.target - 1].tile.classList.toggle("reported", step >= data.report_step)
  }
  return { node, tiles, scrub, scrubber, build, draw }
}

// Touch the page only where something is new: most cells stay as they are while a slider moves.
function change(cell, text, looks) {
  if (cell.textContent !== String(text)) cell.textContent = text
  if (cell.className !== looks) cell.className = looks
}

function name(node, words) {
  if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words)
}

function keyTo(view) {
  const { words } = view.data
  const filed = view.index.report
  const mark = el("span", { class: filed ? "bar" : "bar hollow" })
  const box = el("span", { class: "cell seen differs", "aria-hidden": "true" }, "7")
  return [words.record, " ", mark, ` ${filed ? words.arrives : words.would_arrive} `, box, ` ${filed ? words.without : words.with}`]
}

// The four records as a drawing of their own, for the downloads.
function drawRecords(view) {
  const { data } = view
  const [left, size, tall] = [190, 40, 62]
  const width = left + data.steps * size + 20
  const height = data.lanes.length * tall + 48
  const style = getComputedStyle(view.host)
  const ink = plain(style.color)
  const paper = plain(background(view.host))
  const family = FAMILY
  const node = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` })
  const text = (words, x, y, anchor, bold) =>
    svg("text", { x, y, fill: ink, "font-size": 15, "font-family": family, "text-anchor": anchor, "font-weight": bold ? 700 : 400 }, words)
  const x = left + (data.report_step - 1) * size
  const dash = view.index.report ? "none" : "4 4"
  node.append(svg("line", { x1: x - 3, x2: x - 3, y1: 24, y2: height - 34, stroke: ink, "stroke-width": 3, "stroke-dasharray": dash }))
  node.append(text(view.index.report ? data.words.arrives : data.words.would_arrive, x, 15, "middle"))
  data.lanes.forEach((lane, row) => {
    const y = 30 + row * tall
    node.append(svg("path", { d: shape(lane.symbol, 15), transform: `translate(12 ${y + 17})`, fill: lane.color }))
    node.append(text(lane.name, 28, y + 22, "start", true))
    readLane(view, lane).forEach((audit, i) => {
      const at = left + i * size
      const mine = audit.target === data.target
      const border = { stroke: mine || audit.differs ? lane.color : ink, "stroke-width": mine || audit.differs ? 2.5 : 1 }
      const fill = audit.differs ? { fill: lane.color, "fill-opacity": 0.35 } : { fill: paper }
      node.append(svg("rect", { x: at + 2, y, width: size - 6, height: 34, rx: 5, ...fill, ...border, "stroke-opacity": mine || audit.differs ? 1 : 0.3 }))
      node.append(text(audit.target, at + size / 2 - 1, y + 22, "middle", mine || audit.differs))
    })
  })
  node.append(svg("rect", { x: 4, y: height - 24, width: 22, height: 18, rx: 4, fill: ink, "fill-opacity": 0.35, stroke: ink, "stroke-width": 2 }))
  node.append(text(view.index.report ? data.words.without : data.words.with, 36, height - 10, "start"))
  return { node, width, height }
}
