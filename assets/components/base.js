// Shared by all live components: arrays, numbers, elements. Nothing here knows a model: it picks prepared frames.

const TYPES = { f4: Float32Array, u2: Uint16Array }
const SVG = "http://www.w3.org/2000/svg"

function decode(array) {
  const bytes = Uint8Array.from(atob(array.data), (character) => character.charCodeAt(0))
  return { ...array, values: new TYPES[array.type](bytes.buffer) }
}

// The part of an array that belongs to the sliders' stops.
function pick(array, index) {
  let stop = 0
  let length = 1
  array.shape.forEach((size, axis) => {
    if (axis < array.by.length) stop = stop * size + index[array.by[axis]]
    else length *= size
  })
  return array.values.subarray(stop * length, (stop + 1) * length)
}

// Writers of numbers in the page's language; `percent` is a pattern such as "{n} %".
function numbers(language, percent) {
  const formats = new Map()
  const format = (digits) => {
    if (!formats.has(digits)) {
      formats.set(digits, new Intl.NumberFormat(language, { maximumSignificantDigits: digits }))
    }
    return formats.get(digits)
  }
  return (value, style, digits) => {
    if (Number.isNaN(value)) return "–"
    // A float32 carries seven digits: rounding to six first keeps .145 from turning into .14499999.
    const clean = Number(value.toPrecision(6))
    if (style === "percent") {
      return percent.replace("{n}", format(digits).format(Number((clean * 100).toPrecision(6))))
    }
    return format(digits).format(clean)
  }
}

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "")
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag)
  set(node, attributes)
  node.append(...children)
  return node
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
}

const NAMED = {
  text: "var(--st-text-color)",
  muted: "color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color))",
  border: "var(--st-border-color)",
  accent: "var(--st-primary-color)",
}

function color(name) {
  return NAMED[name] || name
}

// The shape of a mechanism around 0, 0; `size` is its width.
function shape(symbol, size) {
  const r = size / 2
  if (symbol.startsWith("square")) return `M${-r * 0.9} ${-r * 0.9}H${r * 0.9}V${r * 0.9}H${-r * 0.9}Z`
  if (symbol.startsWith("diamond")) return `M0 ${-r * 1.2}L${r * 1.2} 0L0 ${r * 1.2}L${-r * 1.2} 0Z`
  if (symbol.startsWith("triangle")) return `M0 ${-r * 1.15}L${r * 1.1} ${r * 0.85}H${-r * 1.1}Z`
  if (symbol.startsWith("cross") || symbol === "x") {
    const a = r * 0.38
    const plus = `M${-a} ${-r}H${a}V${-a}H${r}V${a}H${a}V${r}H${-a}V${a}H${-r}V${-a}H${-a}Z`
    return plus
  }
  return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`
}

function glyph(symbol, fill, size = 14) {
  const box = svg("svg", { viewBox: "-10 -10 20 20", width: size + 2, height: size + 2, "aria-hidden": "true" })
  box.classList.add("glyph")
  const path = svg("path", { d: shape(symbol, 15) })
  path.style.fill = color(fill)
  box.append(path)
  return box
}

// One call a frame at most, however many events ask for it.
function perFrame(draw) {
  let asked = 0
  const ask = () => {
    if (!asked) {
      asked = requestAnimationFrame(() => {
        asked = 0
        draw()
      })
    }
  }
  ask.cancel = () => cancelAnimationFrame(asked)
  return ask
}
