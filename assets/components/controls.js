// Sliders over prepared stops. The picture follows at once; the server hears of a value when it is let go.

const KEY_PAUSE = 150

// Values on their way to the server. Each message carries all that the server has not yet answered, since a later one
// may overtake an earlier one; the server answers with the last number it has heard (`heard`). That tells an answer
// to an older value from a value that was set elsewhere.
function createCommits(view) {
  const waiting = new Map()
  let last = 0
  return {
    tell(name, value) {
      last += 1
      waiting.set(name, { value, n: last })
      if (!view.commit) return
      const changes = Object.fromEntries([...waiting].map(([key, one]) => [key, one.value]))
      view.commit({ n: last, changes })
    },
    heard(n) {
      last = Math.max(last, n)
      for (const [name, one] of waiting) if (one.n <= n) waiting.delete(name)
    },
    waits: (name) => waiting.has(name),
  }
}

// `moved(name)` is called for each new stop. While a thumb is held, or its value is on its way, data from the server
// do not move it.
function createSliders(view, moved) {
  const box = el("div", { class: "sliders" })
  const state = new Map()

  const send = (slider) => {
    slider.timer = 0
    const value = slider.data.values[view.index[slider.data.name]]
    if (value !== slider.known) view.commits.tell(slider.data.name, value)
    slider.known = value
  }

  const create = (name) => {
    const id = `s${Math.random().toString(36).slice(2)}`
    const slider = { held: false, timer: 0, known: undefined }
    slider.output = el("output", { for: id })
    slider.label = el("label", { for: id })
    slider.input = el("input", { type: "range", id, min: 0, step: 1, "data-name": name })
    slider.low = el("span")
    slider.high = el("span")
    const head = el("div", { class: "head" }, slider.label, slider.output)
    const ends = el("div", { class: "ends" }, slider.low, slider.high)
    slider.node = el("div", { class: "slider" }, head, slider.input, ends)
    slider.input.addEventListener("pointerdown", () => {
      slider.held = true
    })
    for (const event of ["pointerup", "pointercancel", "lostpointercapture"]) {
      // The browser's own `change` comes after this event; until then the thumb belongs to the reader.
      slider.input.addEventListener(event, () => {
        setTimeout(() => {
          slider.held = false
          view.settle()
        }, 50)
      })
    }
    slider.input.addEventListener("input", () => {
      view.index[name] = Number(slider.input.value)
      show(slider)
      moved(name)
    })
    slider.input.addEventListener("change", () => {
      clearTimeout(slider.timer)
      // Keys repeat thirty times a second; the server needs the last of them only.
      slider.timer = setTimeout(() => send(slider), slider.held ? 0 : KEY_PAUSE)
    })
    return slider
  }

  const show = (slider) => {
    const stop = view.index[slider.data.name]
    const text = slider.data.texts[stop]
    const most = slider.data.values.length - 1
    if (slider.input.value !== String(stop)) slider.input.value = stop
    slider.input.setAttribute("aria-valuetext", text)
    slider.input.style.setProperty("--part", most ? stop / most : 0)
    slider.output.textContent = text
  }

  const nearest = (values, value) => {
    let best = 0
    values.forEach((candidate, i) => {
      if (Math.abs(candidate - value) < Math.abs(values[best] - value)) best = i
    })
    return best
  }

  const update = (sliders) => {
    for (const data of sliders) {
      if (!state.has(data.name)) {
        state.set(data.name, create(data.name))
        box.append(state.get(data.name).node)
      }
      const slider = state.get(data.name)
      const mine = slider.data && slider.data.values[view.index[data.name]]
      slider.data = data
      if (mine !== undefined && (slider.held || slider.timer || view.commits.waits(data.name))) {
        view.index[data.name] = nearest(data.values, mine)
      } else {
        view.index[data.name] = data.index
        slider.known = data.values[data.index]
      }
      slider.label.textContent = data.label
      slider.low.textContent = data.ends[0]
      slider.high.textContent = data.ends[1]
      slider.input.max = data.values.length - 1
      show(slider)
    }
    for (const [name, slider] of state) {
      if (sliders.some((data) => data.name === name)) continue
      clearTimeout(slider.timer)
      slider.node.remove()
      state.delete(name)
    }
  }

  const destroy = () => state.forEach((slider) => clearTimeout(slider.timer))
  return { node: box, update, destroy }
}
