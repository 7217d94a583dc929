// The generic live picture: plot, sliders, sentences, gauges, figures.

function mount(host, source) {
  const view = { host, source, data: null, index: {}, arrays: [], commit: null, drawn: 0 }
  view.commits = createCommits(view)
  const plot = createPlot(view)
  const parts = createParts(view)
  const draw = () => {
    plot.draw()
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
  const picture = el("div", { class: "picture" }, plot.node)
  const side = el("div", { class: "side" }, sliders.node, parts.node)
  const grid = el("div", { class: "grid" }, picture, side)
  host.replaceChildren(grid, menu.node, parts.spoken)

  let width = 0
  const watch = new ResizeObserver(() => {
    if (!view.data || !view.data.plot || plot.room.clientWidth === width) return
    width = plot.room.clientWidth
    plot.build()
    plot.draw()
  })
  watch.observe(plot.room)

  view.drawing = () => {
    const node = frozen(plot.drawing)
    return { node, width: plot.drawing.width.baseVal.value, height: plot.drawing.height.baseVal.value }
  }
  view.settle = () => {
    sliders.update(view.data.sliders)
    redraw()
  }

  const update = (data, commit) => {
    const words = view.data && view.data.language !== data.language
    view.data = data
    view.commit = commit
    view.arrays = data.arrays.map(decode)
    view.write = numbers(data.language, data.percent)
    host.lang = data.language
    grid.dataset.layout = data.layout
    picture.hidden = !data.plot
    view.commits.heard(data.heard)
    sliders.update(data.sliders)
    parts.update(data.parts)
    menu.update()
    if (data.plot) plot.build()
    // At once: what was built anew holds no words yet.
    draw()
    if (words) parts.say()
  }
  const destroy = () => {
    watch.disconnect()
    redraw.cancel()
    sliders.destroy()
    parts.destroy()
  }
  return { update, destroy }
}
