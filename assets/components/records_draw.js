/* What one lane of the record player looks like: unpacking, replaying the open reports, shades, marks and lines.
   Every number was computed in Python; open reports are replayed from reports and audits. */

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array }
const COLUMNS = ["audits", "active", "leader", "deficit", "mean", "share", "noisy"]
const EDGE = 6 // keeps the first and last marks whole

function unpack(text) {
  const bytes = Uint8Array.from(atob(text.slice(3)), (c) => c.charCodeAt(0))
  return new TYPES[text.slice(0, 2)](bytes.buffer)
}

function decode(data) {
  const record = { ...data, cells: null, counts: null }
  record.lanes = data.lanes.map((lane) => {
    const columns = COLUMNS.filter((name) => lane[name]).map((name) => [name, unpack(lane[name])])
    return { ...lane, ...Object.fromEntries(columns) }
  })
  if (data.reports) {
    const skipped = unpack(data.reports[0])
    record.counts = unpack(data.reports[1])
    record.cells = new Uint32Array(skipped.length)
    for (let i = 0, at = -1; i < skipped.length; i++) record.cells[i] = at += skipped[i] + 1
  }
  return record
}

/* Largest open counts of the steps first..last in `columns` x `rows` boxes, row 0 = organisation no. 1.
   The counts before `first` are kept in the lane, so that a window that moves on need not start from step 1. */
function replay({ cells, counts, targets }, lane, first, last, columns, rows) {
  const known = lane.known && lane.known.t < first ? lane.known : { t: 0, i: 0, open: new Uint32Array(targets) }
  const open = known.open.slice()
  const boxes = new Uint32Array(columns * rows)
  const row = Uint16Array.from(open, (_, c) => Math.floor((c * rows) / targets))
  let i = known.i
  for (let t = known.t; t < last; t++) {
    if (t === first - 1) lane.known = { t, i, open: open.slice() }
    for (const end = (t + 1) * targets; i < cells.length && cells[i] < end; i++) open[cells[i] % targets] += counts[i]
    if (t >= first - 1) {
      const column = Math.floor(((t - first + 1) * columns) / (last - first + 1))
      for (let c = 0; c < targets; c++) {
        const box = row[c] * columns + column
        if (open[c] > boxes[box]) boxes[box] = open[c]
      }
    }
    open[lane.audits[t]] = 0
  }
  return boxes
}

const OUTLINES = {
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
  "triangle-up": [[0, -1.2], [1.1, 0.85], [-1.1, 0.85]],
  cross: [[-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2],
    [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4]],
  star: [[0, -1.35], [0.34, -0.47], [1.28, -0.42], [0.55, 0.18], [0.79, 1.09], [0, 0.58], [-0.79, 1.09],
    [-0.55, 0.18], [-1.28, -0.42], [-0.34, -0.47]],
}

function trace(path, symbol, x, y, r) {
  const outline = OUTLINES[symbol]
  if (!outline) {
    path.moveTo(x + r, y)
    path.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  outline.forEach(([a, b], i) => (i ? path.lineTo(x + a * r, y + b * r) : path.moveTo(x + a * r, y + b * r)))
  path.closePath()
}

/* Where things stand in a lane: organisations' rows in the upper `plot` pixels, missed reports in the lower `strip`. */
function geometry(record, view, width, plot, strip) {
  const height = plot + strip
  const inner = width - 2 * EDGE
  return {
    width,
    plot,
    height,
    inner,
    x: (step) => EDGE + ((step - view.first + 0.5) / view.length) * inner,
    y: (target) => plot - EDGE - ((target + 0.5) / record.targets) * (plot - 2 * EDGE),
    missed: (deficit) => height - 1 - (deficit / record.scale) * (strip - 3),
    step: (x) => view.first + Math.min(Math.max(Math.floor(((x - EDGE) / inner) * view.length), 0), view.length - 1),
  }
}

/* A mark as a small picture: thousands of stamps are drawn at once, thousands of outlines in one path take seconds. */
function stamp(symbol, color, r, filled, ratio) {
  const mark = document.createElement("canvas")
  mark.width = mark.height = 2 * Math.ceil((1.3 * r + 1) * ratio)
  const g = mark.getContext("2d")
  g.scale(ratio, ratio)
  g.beginPath()
  trace(g, symbol, mark.width / ratio / 2, mark.width / ratio / 2, r)
  g.fillStyle = g.strokeStyle = color
  g.lineWidth = r < 1.5 ? 0.9 : 1.2
  if (filled) g.fill()
  else g.stroke()
  return mark
}

/* Draw one lane's window into a bitmap, every step of it; returns how many steps were drawn. */
function paint(bitmap, record, lane, view, place, ink) {
  const g = bitmap.getContext("2d")
  g.setTransform(1, 0, 0, 1, 0, 0)
  g.clearRect(0, 0, bitmap.width, bitmap.height)
  const ratio = bitmap.width / place.width
  if (record.cells) shade(g, record, lane, view, place, ratio, ink)
  const r = Math.min(Math.max(0.25 * Math.sqrt((place.inner * place.plot) / view.length), 1), 4.5)
  let drawn = 0
  for (const hit of [false, true]) {
    const mark = stamp(lane.symbol, lane.color, hit ? r * 1.15 : r * 0.8, hit, ratio)
    for (let step = view.first; step < view.first + view.length; step++) {
      if ((lane.deficit[step - 1] === 0) !== hit) continue
      const [x, y] = [place.x(step), place.y(lane.audits[step - 1])]
      g.drawImage(mark, Math.round(x * ratio - mark.width / 2), Math.round(y * ratio - mark.width / 2))
      drawn++
    }
  }
  g.setTransform(ratio, 0, 0, ratio, 0, 0)
  missed(g, lane, view, place, ink)
  return drawn
}

/* Missed reports of every step: a line, and a light fill below it. */
function missed(g, lane, view, place, ink) {
  const last = view.first + view.length - 1
  const line = new Path2D()
  line.moveTo(place.x(view.first), place.height)
  for (let step = view.first; step <= last; step++) line.lineTo(place.x(step), place.missed(lane.deficit[step - 1]))
  line.lineTo(place.x(last), place.height)
  g.strokeStyle = g.fillStyle = ink
  g.lineWidth = 1
  g.stroke(line)
  g.globalAlpha = 0.18
  g.fill(line)
  g.globalAlpha = 1
}

/* Open reports of all organisations; where steps outnumber pixels, the largest count in a pixel's column. */
function shade(g, record, lane, view, place, ratio, ink) {
  const [width, height] = [place.inner * ratio, (place.plot - 2 * EDGE) * ratio]
  const columns = Math.min(view.length, Math.floor(width))
  const rows = Math.min(record.targets, Math.max(1, Math.floor(height)))
  const boxes = replay(record, lane, view.first, view.first + view.length - 1, columns, rows)
  const small = document.createElement("canvas")
  small.width = columns
  small.height = rows
  const h = small.getContext("2d")
  h.fillStyle = ink
  h.fillRect(0, 0, 1, 1)
  const [red, green, blue] = h.getImageData(0, 0, 1, 1).data
  const image = h.createImageData(columns, rows)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const dark = (boxes[row * columns + column] / record.darkest) ** 0.75
      image.data.set([red, green, blue, 180 * dark], ((rows - 1 - row) * columns + column) * 4)
    }
  h.putImageData(image, 0, 0)
  g.imageSmoothingEnabled = false
  g.drawImage(small, EDGE * ratio, EDGE * ratio, width, height)
}

/* The step in hand: a thin line, the audited organisation large, the most reported one between two ticks. */
function mark(g, lane, step, place, ink) {
  const x = place.x(step)
  g.strokeStyle = ink
  g.globalAlpha = 0.5
  g.lineWidth = 1
  g.beginPath()
  g.moveTo(x, 0)
  g.lineTo(x, place.height)
  g.stroke()
  g.globalAlpha = 1
  g.lineWidth = 2
  g.beginPath()
  if (lane.deficit[step - 1] > 0) {
    const y = place.y(lane.leader[step - 1])
    g.moveTo(x - 10, y)
    g.lineTo(x - 3, y)
    g.moveTo(x + 3, y)
    g.lineTo(x + 10, y)
    g.stroke()
    g.beginPath()
  }
  trace(g, lane.symbol, x, place.y(lane.audits[step - 1]), 5.5)
  g.stroke()
  g.fillStyle = lane.color
  g.fill()
}
