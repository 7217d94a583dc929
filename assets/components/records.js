/* Audit records of several auditors on one time axis: play, scrub, zoom. Every number shown was computed in Python;
   this file unpacks, replays the open reports from reports and audits, draws and formats. */

const WINDOWS = [20, 50, 100, 200, 500, 1000, 2000, 5000]
const SPEEDS = [2, 10, 30, 60, 150, 600]
const players = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".player")
  let player = players.get(root)
  if (!player) players.set(root, (player = createPlayer(root)))
  player.commit = (view) => setStateValue("view", view)
  player.show(data)
  return () => {
    player.end()
    players.delete(root)
  }
}

function createPlayer(root) {
  const find = (name) => root.querySelector("." + name)
  const [play, back, next, slider, now, lanes, axis, speed, span, from, legend, news, png] = ["play", "back", "next",
    "slider", "now", "lanes", "axis", "speed", "span", "from", "legend", "news", "png"].map(find)
  const pattern = root.querySelector("template").content.firstElementChild
  const calm = matchMedia("(prefers-reduced-motion: reduce)")
  const narrow = matchMedia("(max-width: 640px)")
  const view = { step: 1, first: 1, length: 1 }
  let record = null
  let rows = []
  let ink = ""
  let place = null
  let hover = 0
  let clock = null // {steps, time, rate, sweep} while playing
  let raf = 0
  let pushed = null
  let timer = 0
  let said = 0
  let wanted = 0 // speed the reader chose
  let frames = 0
  let whole, three, share

  const player = { commit() {}, show, end }
  const last = () => view.first + view.length - 1
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high)
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

  function show(data) {
    const old = record
    const ended = old && view.step === old.steps
    const all = old && view.length === old.steps
    record = decode(data)
    const format = (options) => new Intl.NumberFormat(data.language, options)
    whole = format({ maximumFractionDigits: 0 })
    three = format({ maximumSignificantDigits: 3 })
    share = format({ style: "percent", maximumSignificantDigits: 3 })
    if (data.pushed.id !== pushed) {
      pushed = data.pushed.id
      stop()
      view.step = data.pushed.step || data.steps
      view.length = data.pushed.length || data.steps
      view.first = data.pushed.first
    } else {
      if (ended) view.step = data.steps
      if (all) view.length = data.steps
    }
    label()
    build()
    arrange()
    layout()
    if (!old && !calm.matches && !data.pushed.step && !data.pushed.length) start(data.steps / 1.2, true)
  }

  function label() {
    const { words, steps } = record
    root.setAttribute("aria-label", words.player)
    back.setAttribute("aria-label", words.back)
    next.setAttribute("aria-label", words.next)
    back.title = words.back
    next.title = words.next
    slider.max = steps
    slider.setAttribute("aria-label", words.step)
    png.textContent = words.png
    legend.textContent = words.legend
    for (const [select, text] of [[speed, words.speed], [span, words.window], [from, words.from]])
      select.parentElement.querySelector("span").textContent = text
    speed.replaceChildren(...SPEEDS.map((x) => new Option(fill(words.rate, { n: whole.format(x) }), x)))
    speed.value = wanted || SPEEDS.find((x) => steps / x <= 20) || SPEEDS.at(-1)
    const sizes = WINDOWS.filter((x) => x < steps)
    if (view.length < steps && !sizes.includes(view.length)) sizes.push(view.length)
    sizes.sort((a, b) => a - b)
    span.replaceChildren(new Option(words.all, steps))
    span.append(...sizes.map((x) => new Option(fill(words.steps, { n: whole.format(x) }), x)))
    toggle()
  }

  function build() {
    rows = record.lanes.map((lane, i) => {
      const element = lanes.children[i] || lanes.appendChild(pattern.cloneNode(true))
      const part = (name) => element.querySelector("." + name)
      part("glyph").textContent = lane.glyph
      part("glyph").style.color = lane.color
      part("name").textContent = lane.name
      part("leak").textContent = lane.leak
      const [before, after] = record.words.hits.split("{share}")
      part("before").textContent = before
      part("after").textContent = after
      const canvas = part("canvas")
      canvas.setAttribute("aria-label", lane.alt)
      listen(canvas)
      const [mean, missed, share, line] = ["mean", "missed", "share", "line"].map(part)
      return { lane, canvas, mean, missed, share, line, bitmap: document.createElement("canvas") }
    })
    while (lanes.children.length > rows.length) lanes.lastChild.remove()
  }

  /* Keep step and window inside the record, and the step inside the window. */
  function arrange() {
    const { steps } = record
    view.length = clamp(view.length, 1, steps)
    view.step = clamp(view.step, 1, steps)
    view.first = clamp(view.first, 1, steps - view.length + 1)
  }

  function follow() {
    const most = record.steps - view.length + 1
    if (view.step > last()) view.first = clamp(clock ? view.step : view.step - view.length + 1, 1, most)
    else if (view.step < view.first) view.first = view.step
    else return false
    return true
  }

  function layout() {
    ink = getComputedStyle(root).color
    const [plot, strip] = narrow.matches ? [46, 18] : [82, 24]
    place = geometry(record, view, rows[0].canvas.clientWidth || 300, plot, strip)
    const ratio = window.devicePixelRatio || 1
    for (const row of rows) {
      row.canvas.style.height = place.height + "px"
      for (const canvas of [row.canvas, row.bitmap]) {
        canvas.width = Math.round(place.width * ratio)
        canvas.height = Math.round(place.height * ratio)
      }
    }
    refresh()
  }

  function refresh() {
    span.value = view.length
    from.max = record.steps - view.length + 1
    from.value = view.first
    from.disabled = view.length === record.steps
    const shown = { from: whole.format(view.first), to: whole.format(last()) }
    from.setAttribute("aria-valuetext", fill(record.words.shown, shown))
    const ticks = [...new Set([0, 0.25, 0.5, 0.75, 1].map((x) => Math.round(view.first + x * (view.length - 1))))]
    axis.replaceChildren(...ticks.map((step) => {
      const tick = document.createElement("span")
      tick.textContent = whole.format(step)
      tick.style.left = (100 * place.x(step)) / place.width + "%"
      return tick
    }))
    for (const row of rows) row.canvas.dataset.dots = paint(row.bitmap, record, row.lane, view, place, ink)
    draw()
  }

  function draw() {
    const step = hover || view.step
    const head = clock && !calm.matches ? clock.steps : view.step
    const x = head >= last() ? place.width : clamp(place.x(head + 0.5), 0, place.width)
    for (const { lane, canvas, bitmap } of rows) {
      const g = canvas.getContext("2d")
      const ratio = canvas.width / place.width
      const cut = Math.round(x * ratio)
      g.setTransform(1, 0, 0, 1, 0, 0)
      g.clearRect(0, 0, canvas.width, canvas.height)
      if (cut) g.drawImage(bitmap, 0, 0, cut, canvas.height, 0, 0, cut, canvas.height)
      if (cut < canvas.width) {
        g.globalAlpha = 0.22
        g.drawImage(bitmap, cut, 0, canvas.width - cut, canvas.height, cut, 0, canvas.width - cut, canvas.height)
        g.globalAlpha = 1
      }
      g.setTransform(ratio, 0, 0, ratio, 0, 0)
      if (step >= view.first && step <= last()) mark(g, lane, step, place, ink)
    }
    if (!clock?.sweep) slider.value = view.step
    root.dataset.frames = ++frames
    root.dataset.step = view.step
    tell(step)
  }

  function tell(step) {
    const { words, steps } = record
    const time = performance.now()
    if (clock && time - said < 100) return
    said = time
    const place = fill(words.place, { step: whole.format(step), steps: whole.format(steps) })
    now.textContent = place
    slider.setAttribute("aria-valuetext", place)
    const lines = rows.map((row) => {
      const { lane } = row
      const t = step - 1
      const values = { target: lane.audits[t] + 1, active: lane.active[t], leader: lane.leader[t] + 1,
        leading: lane.active[t] + lane.deficit[t], missed: lane.deficit[t] }
      for (const name in values) values[name] = whole.format(values[name])
      let text = fill(lane.deficit[t] === 0 ? words.hit : words.miss, values)
      if (lane.noisy) text += " " + fill(words.noisy, { noisy: three.format(lane.noisy[t]) })
      row.line.textContent = text
      row.mean.textContent = three.format(lane.mean[t])
      row.missed.textContent = step === steps ? words.missed : words.sofar
      row.share.textContent = share.format(lane.share[t])
      return lane.name + ": " + text
    })
    clearTimeout(news.timer)
    if (clock) return
    news.timer = setTimeout(() => (news.textContent = place + ". " + lines.join(" ")), 600)
  }

  function toggle() {
    const { words } = record
    const playing = clock && !clock.sweep
    play.querySelector("span").textContent = playing ? words.pause : words.play
    play.querySelector("i").textContent = playing ? "❚❚\uFE0E" : "▶\uFE0E"
    root.dataset.playing = playing ? "yes" : "no"
  }

  function start(rate, sweep = false) {
    clock = { steps: sweep ? 0 : view.step, time: performance.now(), rate, sweep }
    toggle()
    cancelAnimationFrame(raf)
    raf = requestAnimationFrame(tick)
  }

  function stop() {
    cancelAnimationFrame(raf)
    if (clock?.sweep) view.step = record.steps
    clock = null
    if (record) toggle()
  }

  function tick(time) {
    clock.steps = Math.min(clock.steps + (Math.max(time - clock.time, 0) / 1000) * clock.rate, record.steps)
    clock.time = time
    view.step = Math.max(Math.floor(clock.steps), 1)
    if (clock.steps >= record.steps) {
      const { sweep } = clock
      stop()
      draw()
      if (!sweep) keep()
      return
    }
    if (follow()) refresh()
    else draw()
    raf = requestAnimationFrame(tick)
  }

  /* Tell Python once the reader has come to rest; 0 stands for the end and for the whole record. */
  function keep() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (clock) return
      const { steps } = record
      const [step, length] = [view.step % steps, view.length % steps]
      player.commit({ step, first: view.first, length })
    }, 300)
  }

  function go(step) {
    stop()
    view.step = clamp(step, 1, record.steps)
    if (follow()) refresh()
    else draw()
    keep()
  }

  function move(first, length) {
    stop()
    Object.assign(view, { first, length })
    arrange()
    if (view.step < view.first || view.step > last()) view.step = last()
    refresh()
    keep()
  }

  play.onclick = () => {
    const playing = clock && !clock.sweep
    stop()
    if (playing) {
      draw()
      keep()
      return
    }
    if (view.step >= record.steps) view.step = 1
    if (follow()) refresh()
    start(+speed.value)
  }
  back.onclick = () => go(view.step - 1)
  next.onclick = () => go(view.step + 1)
  slider.oninput = () => go(+slider.value)
  speed.onchange = () => {
    wanted = +speed.value
    if (clock) start(wanted)
  }
  span.onchange = () => {
    const length = +span.value
    move(Math.round(view.step - length / 2), length)
  }
  from.oninput = () => move(+from.value, view.length)

  function listen(canvas) {
    const step = (event) => place.step(event.offsetX)
    canvas.onpointermove = (event) => {
      if (event.buttons) return go(step(event))
      if (clock || event.pointerType === "touch") return
      hover = step(event)
      draw()
    }
    canvas.onpointerdown = (event) => {
      hover = 0
      go(step(event))
    }
    canvas.onpointerleave = () => {
      hover = 0
      if (!clock) draw()
    }
  }

  png.onclick = () => {
    const [ratio, head, pad] = [window.devicePixelRatio || 1, 28, 16]
    const sheet = document.createElement("canvas")
    sheet.width = (place.width + 2 * pad) * ratio
    sheet.height = (rows.length * (place.height + head) + 2 * pad) * ratio
    const g = sheet.getContext("2d")
    const style = getComputedStyle(root)
    g.fillStyle = style.getPropertyValue("--ground")
    g.fillRect(0, 0, sheet.width, sheet.height)
    g.font = `${15 * ratio}px ${style.fontFamily}`
    rows.forEach(({ lane, canvas, mean, missed }, i) => {
      const top = (pad + i * (place.height + head)) * ratio
      g.fillStyle = lane.color
      g.fillText(lane.glyph, pad * ratio, top + 18 * ratio)
      g.fillStyle = ink
      g.fillText(`${lane.name}: ${mean.textContent} ${missed.textContent}`, (pad + 22) * ratio, top + 18 * ratio)
      g.drawImage(canvas, pad * ratio, top + head * ratio)
    })
    const link = document.createElement("a")
    link.href = sheet.toDataURL("image/png")
    link.download = "audit-records.png"
    link.click()
  }

  const watch = new ResizeObserver(() => {
    if (record && Math.abs(rows[0].canvas.clientWidth - place.width) > 0.5) layout()
  })
  watch.observe(root)

  function end() {
    stop()
    clearTimeout(timer)
    clearTimeout(news.timer)
    watch.disconnect()
  }

  return player
}
