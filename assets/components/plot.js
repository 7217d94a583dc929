// A plot with fixed axes, drawn as SVG at the width it really has, so that type keeps its size on every screen.

const DASHES = { "": "none", dash: "7 5", dot: "1.5 4.5" }

function createPlot(view) {
  const drawing = svg("svg", { role: "img" })
  const legend = el("ul", { class: "legend" })
  const room = el("div", { class: "room" }, drawing)
  const node = el("div", { class: "plot" }, room, legend)
  let movers = []

  const scales = (data, width, height, edge) => ({
    x: (value) => edge.left + ((value - data.x.low) / (data.x.high - data.x.low)) * (width - edge.left - edge.right),
    y: (value) => height - edge.bottom - ((value - data.y.low) / (data.y.high - data.y.low)) * (height - edge.top - edge.bottom),
  })

  // Axes and the elements of each series; `draw` moves them.
  const build = () => {
    const data = view.data.plot
    // A square keeps its shape; a wider plot may grow wider than its aspect says, never taller than `tallest`.
    const widest = data.aspect > 1.2 ? Infinity : data.tallest * data.aspect + 64
    const width = Math.max(260, Math.min(room.clientWidth || 600, widest))
    const left = 16 + 8 * Math.max(...data.y.ticks.map((tick) => tick[1].length))
    const font = `14px ${getComputedStyle(view.host).fontFamily}`
    const labels = { x: wrap(data.x.label, font, width - left - 4), y: wrap(data.y.label, font, width - 4) }
    const edge = { left, right: 20, top: 14 + 19 * labels.y.length, bottom: 38 + 19 * labels.x.length }
    const inner = width - edge.left - edge.right
    const height = Math.min(inner / data.aspect, data.tallest) + edge.top + edge.bottom
    const to = scales(data, width, height, edge)
    const box = { left: edge.left, right: width - edge.right, top: edge.top, bottom: height - edge.bottom }
    set(drawing, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": view.data.alt })
    drawing.replaceChildren(...frame(data, to, box, labels))
    movers = data.series.map((one) => MAKERS[one.kind](view, one, to, box, drawing)).filter(Boolean)
    legend.replaceChildren(...(data.legend ? entries(data.series) : []))
  }

  const draw = () => movers.forEach((move) => move())
  return { node, room, drawing, build, draw }
}

function frame(data, to, box, labels) {
  const pattern = svg("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" })
  const stroke = svg("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "hatch" })
  pattern.append(stroke)
  const clip = svg("clipPath", { id: "inside" })
  clip.append(svg("rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top }))
  const out = [svg("defs", {}, pattern, clip)]
  // Labels that would touch their neighbour are left out, the line stays.
  let free = -Infinity
  for (const [position, label] of data.x.ticks) {
    const x = to.x(position)
    out.push(svg("line", { class: "gridline", x1: x, x2: x, y1: box.top, y2: box.bottom }))
    const half = label.length * 4.2
    if (x - half < free) continue
    free = x + half + 4
    out.push(svg("text", { class: "tick", x, y: box.bottom + 19, "text-anchor": "middle" }, label))
  }
  for (const [position, label] of data.y.ticks) {
    const y = to.y(position)
    out.push(svg("line", { class: "gridline", x1: box.left, x2: box.right, y1: y, y2: y }))
    out.push(svg("text", { class: "tick", x: box.left - 8, y: y + 5, "text-anchor": "end" }, label))
  }
  const middle = (box.left + box.right) / 2
  labels.x.forEach((line, i) => {
    out.push(svg("text", { class: "axis", x: middle, y: box.bottom + 43 + 19 * i, "text-anchor": "middle" }, line))
  })
  labels.y.forEach((line, i) => {
    out.push(svg("text", { class: "axis", x: 2, y: 17 + 19 * i, "text-anchor": "start" }, line))
  })
  return out
}

function path(xs, ys, to, close = "") {
  let d = ""
  let pen = "M"
  for (let i = 0; i < xs.length; i += 1) {
    if (Number.isNaN(ys[i])) pen = "M"
    else {
      d += `${pen}${to.x(xs[i]).toFixed(1)} ${to.y(ys[i]).toFixed(1)}`
      pen = "L"
    }
  }
  return d + close
}

const MAKERS = {
  line(view, data, to, box, drawing) {
    const line = svg("path", { class: "curve", "clip-path": "url(#inside)", "data-name": data.name })
    line.style.stroke = color(data.color)
    set(line, { "stroke-width": data.width, "stroke-dasharray": DASHES[data.dash] })
    drawing.append(line)
    return () => {
      line.setAttribute("d", path(pick(view.arrays[data.x], view.index), pick(view.arrays[data.y], view.index), to))
    }
  },

  area(view, data, to, box, drawing) {
    const areas = [svg("path", { class: "area", "clip-path": "url(#inside)" })]
    areas[0].style.fill = color(data.color)
    areas[0].style.fillOpacity = data.opacity
    if (data.hatch) areas.push(svg("path", { class: "area", fill: "url(#hatch)", "clip-path": "url(#inside)" }))
    drawing.append(...areas)
    return () => {
      const x = pick(view.arrays[data.x], view.index)
      const back = path(x.slice().reverse(), pick(view.arrays[data.low], view.index).slice().reverse(), to, "Z")
      const d = path(x, pick(view.arrays[data.high], view.index), to) + back.replace("M", "L")
      areas.forEach((area) => area.setAttribute("d", d))
    }
  },

  points(view, data, to, box, drawing) {
    const group = svg("g", { class: "points" })
    drawing.append(group)
    return () => {
      const x = pick(view.arrays[data.x], view.index)
      const y = pick(view.arrays[data.y], view.index)
      const low = data.low !== null && pick(view.arrays[data.low], view.index)
      const high = data.high !== null && pick(view.arrays[data.high], view.index)
      group.replaceChildren()
      for (let i = 0; i < x.length; i += 1) {
        if (Number.isNaN(y[i])) continue
        const at = to.x(x[i])
        if (low && high) {
          const bar = svg("path", { class: "error", d: `M${at} ${to.y(low[i])}V${to.y(high[i])}` })
          bar.style.stroke = color(data.color)
          group.append(bar)
        }
        const point = svg("path", { class: "point", d: shape(data.symbol, data.size), transform: `translate(${at} ${to.y(y[i])})` })
        point.style.fill = color(data.color)
        group.append(point)
      }
    }
  },

  marker(view, data, to, box, drawing) {
    const drop = data.drop ? svg("path", { class: "drop" }) : null
    const marker = svg("path", { class: "marker", d: shape(data.symbol, data.size), "data-name": data.name })
    marker.style.fill = color(data.color)
    if (drop) drawing.append(drop)
    drawing.append(marker)
    return () => {
      const x = to.x(pick(view.arrays[data.x], view.index)[0])
      const y = to.y(pick(view.arrays[data.y], view.index)[0])
      const hidden = Number.isNaN(x) || Number.isNaN(y)
      marker.style.display = hidden ? "none" : ""
      if (!hidden) marker.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`)
      if (drop && !hidden) drop.setAttribute("d", `M${x} ${box.bottom}V${y}H${box.left}`)
    }
  },

  rule(view, data, to, box, drawing) {
    const rule = svg("path", { class: "rule", "stroke-dasharray": DASHES[data.dash] })
    rule.style.stroke = color(data.color)
    const label = svg("text", { class: "note" }, data.label)
    drawing.append(rule, label)
    return () => {
      if (data.x !== null) {
        const x = to.x(pick(view.arrays[data.x], view.index)[0])
        const right = x < (box.left + box.right) / 2
        rule.setAttribute("d", `M${x} ${box.top}V${box.bottom}`)
        set(label, { x: right ? x + 6 : x - 6, y: box.top + 16, "text-anchor": right ? "start" : "end" })
      } else {
        const y = to.y(pick(view.arrays[data.y], view.index)[0])
        rule.setAttribute("d", `M${box.left} ${y}H${box.right}`)
        set(label, { x: box.right - 4, y: y < box.top + 24 ? y + 17 : y - 6, "text-anchor": "end" })
      }
    }
  },

  label(view, data, to, box, drawing) {
    const label = svg("text", { class: "note", "text-anchor": data.anchor }, data.text)
    label.style.fill = color(data.color)
    drawing.append(label)
    return () => {
      const x = pick(view.arrays[data.x], view.index)[0]
      const y = pick(view.arrays[data.y], view.index)[0]
      const hidden = Number.isNaN(x) || Number.isNaN(y)
      label.style.display = hidden ? "none" : ""
      if (!hidden) set(label, { x: to.x(x), y: to.y(y) + 5 })
    }
  },
}

// One entry a name: its line, its area and its shape together.
function entries(series) {
  const names = [...new Set(series.map((one) => one.name).filter(Boolean))]
  return names.map((name) => {
    const sample = svg("svg", { width: 34, height: 18, viewBox: "-17 -9 34 18", "aria-hidden": "true" })
    for (const one of series.filter((candidate) => candidate.name === name)) {
      if (one.kind === "area") {
        const area = svg("rect", { x: -15, y: -7, width: 30, height: 14, class: "area" })
        area.style.fill = color(one.color)
        area.style.fillOpacity = one.opacity
        sample.append(area)
      } else if (one.kind === "line" || one.kind === "rule") {
        const line = svg("path", { d: "M-16 0H16", class: "curve", "stroke-dasharray": DASHES[one.dash] })
        line.style.stroke = color(one.color)
        line.setAttribute("stroke-width", one.width || 2)
        sample.append(line)
      }
      if (one.symbol) {
        const mark = svg("path", { d: shape(one.symbol, 11), class: "point" })
        mark.style.fill = color(one.color)
        sample.append(mark)
      }
    }
    return el("li", {}, sample, el("span", {}, name))
  })
}
