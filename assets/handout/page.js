// Draws the figures in the colours of the page, and again when the reader changes from light to dark or prints.
const figures = JSON.parse(document.getElementById("figures").textContent)
const config = { displayModeBar: false, responsive: true }

// Colours that stand for what the style sheet calls --text, --muted and --paper.
const STANDING_FOR = { "#010101": "--text", "#020202": "--muted", "#030303": "--paper" }

function paint(value, style) {
  if (typeof value === "string") return STANDING_FOR[value] ? style.getPropertyValue(STANDING_FOR[value]).trim() : value
  if (Array.isArray(value)) return value.map((one) => paint(one, style))
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, paint(one, style)]))
  }
  return value
}

function draw() {
  const style = getComputedStyle(document.documentElement)
  for (const [id, figure] of Object.entries(figures)) {
    const { data, layout } = paint(figure, style)
    const ink = style.getPropertyValue("--text").trim()
    const grid = style.getPropertyValue("--grid").trim()
    Object.assign(layout, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" })
    layout.font = { ...layout.font, color: ink, family: getComputedStyle(document.body).fontFamily }
    for (const name of ["xaxis", "yaxis"]) Object.assign(layout[name], { gridcolor: grid, linecolor: grid, zerolinecolor: grid })
    // On a phone the names stand one below the other, above the picture.
    if (innerWidth < 640) layout.height += 20 * data.filter((trace) => trace.showlegend !== false && trace.name).length
    layout.dragmode = matchMedia("(pointer: coarse)").matches ? false : "zoom"
    Plotly.react(id, data, layout, config)
  }
}

draw()
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw)
matchMedia("print").addEventListener("change", draw)
