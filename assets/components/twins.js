/* Twin worlds: one pair of records of several auditors on one time axis; only steps that differ light up. Every number
   was computed in Python; this file unpacks, compares two records step by step, draws and formats. */

const WINDOWS = [20, 50, 100, 200, 500, 1000, 2000, 5000]
const SPEEDS = [2, 5, 10, 30, 60, 150]
const STRIP = 16 // below the organisations' rows: where the states differ
const players = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".twins")
  let player = players.get(root)
  if (!player) players.set(root, (player = createPlayer(root)))
  player.tell = setStateValue
  player.show(data)
  return () => {
    player.end()
    players.delete(root)
  }
}

function read(data) {
  const lanes = data.lanes.map((lane) => {
    const audits = unpack(lane.with)
    return { ...lane, with: audits, without: lane.without ? unpack(lane.without) : audits, differ: unpack(lane.differ) }
  })
  const differ = new Set()
  for (const lane of lanes)
    if (lane.first)
      for (let step = lane.first; step <= data.steps; step++)
        if (lane.with[step - 1] !== lane.without[step - 1]) differ.add(step)
  return { ...data, lanes, differ: [...differ].sort((a, b) => a - b) }
}

function createPlayer(root) {
  const find = (name) => root.querySelector("." + name)
  const [play, back, next, slider, now, lanes, axis, speed, span, from, legend, news, png, pback, pnext, pairText,
    differ] = ["play", "back", "next", "slider", "now", "lanes", "axis", "speed", "span", "from", "legend", "news", "png",
    "pback", "pnext", "pair", "differ"].map(find)
  const pattern = root.querySelector("template").content.firstElementChild
  const calm = matchMedia("(prefers-reduced-motion: reduce)")
  const narrow = matchMedia("(max-width: 640px)")
  const view = { step: 1, first: 1, length: 1 }
  let record = null
  let rows = []
  let ink = ""
  let place = null
  let cross = null // {step, target} under the pointer or moved by keys
  let keyed = 0 // organisation the keys have reached
  let clock = null // {steps, time, rate} while playing
  let raf = 0
  let pushed = null
  let timer = 0
  let wanted = 0 // speed the reader chose
  let pair = 1
  let filed = 0
  let loading = false
  let whole

  const player = { tell() {}, show, end }
  const last = () => view.first + view.length - 1
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high)
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

  function show(data) {
    const old = record
    const late = loading && data.pair !== pair && data.at === old.at && data.about === old.about
    record = read(data)
    whole = new Intl.NumberFormat(data.language, { maximumFractionDigits: 0 })
    // While pairs are chosen quickly the answer to an earlier choice must not pull the reader back.
    if (!late) {
      pair = data.pair
      busy(false)
    }
    if (!old || old.at !== data.at || old.about !== data.about) keyed = data.about - 1
    if (data.pushed.id !== pushed) {
      pushed = data.pushed.id
      stop()
      Object.assign(view, { step: data.pushed.step, first: data.pushed.first, length: data.pushed.length })
    }
    label()
    build()
    arrange()
    layout()
  }

  function busy(yes) {
    loading = yes
    root.dataset.busy = yes ? "yes" : "no"
    lanes.setAttribute("aria-busy", yes)
  }

  function label() {
    const { words, steps } = record
    root.setAttribute("aria-label", words.player)
    for (const [button, text] of [[back, words.back], [next, words.next], [pback, words.pback], [pnext, words.pnext]]) {
      button.setAttribute("aria-label", text)
      button.title = text
    }
    slider.max = steps
    slider.setAttribute("aria-label", words.step)
    png.textContent = words.png
    differ.textContent = words.differ
    differ.disabled = !record.differ.length
    differ.title = record.differ.length ? "" : words.none
    legend.textContent = words.legend
    for (const [select, text] of [[speed, words.speed], [span, words.window], [from, words.from]])
      select.parentElement.querySelector("span").textContent = text
    speed.replaceChildren(...SPEEDS.map((x) => new Option(fill(words.rate, { n: whole.format(x) }), x)))
    speed.value = wanted || 10
    const sizes = WINDOWS.filter((x) => x < steps)
    if (view.length < steps && !sizes.includes(view.length)) sizes.push(view.length)
    sizes.sort((a, b) => a - b)
    span.replaceChildren(new Option(words.all, steps))
    span.append(...sizes.map((x) => new Option(fill(words.steps, { n: whole.format(x) }), x)))
    toggle()
    number()
  }

  function number() {
    const { words, pairs } = record
    pairText.textContent = fill(words.pair, { pair: whole.format(pair), pairs: whole.format(pairs) })
    pback.disabled = pair <= 1
    pnext.disabled = pair >= pairs
    root.dataset.pair = pair
  }

  function build() {
    rows = record.lanes.map((lane, i) => {
      const element = lanes.children[i] || lanes.appendChild(pattern.cloneNode(true))
      const part = (name) => element.querySelector("." + name)
      for (const name of ["glyph", "name", "leak", "story", "count", "allowed"]) part(name).textContent = lane[name]
      part("glyph").style.color = lane.color
      const gauge = part("gauge")
      gauge.setAttribute("aria-label", lane.gauge)
      gauge.title = lane.gauge
      gauge.style.setProperty("--color", lane.color)
      for (const name of ["share", "low", "high", "delta"]) gauge.style.setProperty("--" + name, lane[name])
      gauge.dataset.holds = lane.holds ? "yes" : "no"
      const other = part("other")
      other.textContent = record.words.other
      other.setAttribute("aria-label", fill(record.words.otherLabel, { name: lane.name }))
      other.disabled = !lane.differ.length || (lane.differ.length === 1 && lane.differ[0] === pair)
      other.onclick = () => choose(lane.differ.find((x) => x > pair) || lane.differ[0])
      const canvas = part("canvas")
      canvas.setAttribute("aria-label", lane.alt)
      listen(canvas)
      return { lane, canvas, line: part("line"), bitmap: document.createElement("canvas") }
    })
    while (lanes.children.length > rows.length) lanes.lastChild.remove()
  }

  /* Keep step and window inside the record. */
  function arrange() {
    const { steps } = record
    view.length = clamp(view.length, 1, steps)
    view.step = clamp(view.step, 1, steps)
    view.first = clamp(view.first, 1, steps - view.length + 1)
  }

  function follow() {
    const most = record.steps - view.length + 1
    if (view.step > last()) view.first = clamp(clock ? view.step : view.step - Math.ceil(view.length / 2), 1, most)
    else if (view.step < view.first) view.first = clamp(view.step - Math.floor(view.length / 2), 1, most)
    else return false
    return true
  }

  function layout() {
    ink = getComputedStyle(root).color
    place = geometry(record, view, rows[0].canvas.clientWidth || 300, narrow.matches ? 64 : 92, STRIP)
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
    for (const row of rows) {
      const drawn = paintTwins(row.bitmap, record, row.lane, view, place, ink)
      Object.assign(row.canvas.dataset, { dots: drawn.steps, differ: drawn.differ })
    }
    draw()
  }

  function draw() {
    const step = cross?.step || view.step
    const head = clock && !calm.matches ? clock.steps : clock ? view.step : last()
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
      if (step >= view.first && step <= last()) point(g, lane, step, place, ink, cross)
    }
    slider.value = view.step
    root.dataset.step = view.step
    say(step)
  }

  function say(step) {
    const { words, steps } = record
    const text = fill(words.place, { step: whole.format(step), steps: whole.format(steps) })
    const here = cross && fill(words.here, { step: whole.format(step), target: whole.format(cross.target + 1) })
    now.textContent = here || text
    slider.setAttribute("aria-valuetext", text)
    const lines = rows.map(({ lane, line }) => {
      const [a, b] = [lane.with[step - 1], lane.without[step - 1]].map((x) => whole.format(x + 1))
      line.textContent = fill(a === b ? words.same : words.unlike, { a, b })
      line.dataset.differs = a === b ? "no" : "yes"
      return lane.name + ": " + line.textContent
    })
    clearTimeout(news.timer)
    if (clock || loading) return
    const all = (here || text) + ". " + lines.join(" ")
    news.timer = setTimeout(() => (news.textContent = all), 600)
  }

  function toggle() {
    const { words } = record
    play.querySelector("span").textContent = clock ? words.pause : words.play
    play.querySelector("i").textContent = clock ? "❚❚\uFE0E" : "▶\uFE0E"
    root.dataset.playing = clock ? "yes" : "no"
  }

  function stop() {
    cancelAnimationFrame(raf)
    clock = null
    if (record) toggle()
  }

  function tick(time) {
    clock.steps = Math.min(clock.steps + (Math.max(time - clock.time, 0) / 1000) * clock.rate, record.steps)
    clock.time = time
    view.step = Math.max(Math.floor(clock.steps), 1)
    if (clock.steps >= record.steps) {
      stop()
      draw()
      keep()
      return
    }
    if (follow()) refresh()
    else draw()
    raf = requestAnimationFrame(tick)
  }

  /* Tell Python once the reader has come to rest. */
  function keep(pause = 300) {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!clock) player.tell("view", { ...view, pair })
    }, pause)
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
    if (view.step < view.first || view.step > last()) view.step = clamp(view.step, view.first, last())
    refresh()
    keep()
  }

  function choose(other) {
    stop()
    if (!other || other === pair) return
    pair = clamp(other, 1, record.pairs)
    busy(true)
    number()
    draw()
    keep(150)
  }

  /* Put the report elsewhere: everything is drawn anew, in Python. */
  function file(step, target) {
    if (loading || (step === record.at && target + 1 === record.about)) return
    stop()
    clearTimeout(timer)
    busy(true)
    const told = { step: whole.format(step), target: whole.format(target + 1) }
    clearTimeout(news.timer)
    news.textContent = fill(record.words.moving, told)
    filed = Math.max(Date.now(), filed + 1)
    player.tell("report", { n: filed, at: step, about: target + 1 })
  }

  play.onclick = () => {
    const playing = clock
    stop()
    if (playing) {
      draw()
      keep()
      return
    }
    if (view.step >= record.steps) view.step = record.at
    if (follow()) refresh()
    clock = { steps: view.step, time: performance.now(), rate: +speed.value }
    toggle()
    raf = requestAnimationFrame(tick)
  }
  back.onclick = () => go(view.step - 1)
  next.onclick = () => go(view.step + 1)
  differ.onclick = () => go(record.differ.find((step) => step > view.step) || record.differ[0])
  pback.onclick = () => choose(pair - 1)
  pnext.onclick = () => choose(pair + 1)
  slider.oninput = () => go(+slider.value)
  speed.onchange = () => {
    wanted = +speed.value
    if (clock) clock.rate = wanted
  }
  span.onchange = () => {
    const length = +span.value
    move(Math.round(view.step - length / 2), length)
  }
  from.oninput = () => move(+from.value, view.length)

  function listen(canvas) {
    const at = (event) => ({ step: place.step(event.offsetX), target: row(event.offsetY) })
    canvas.onpointermove = (event) => {
      if (clock || event.pointerType === "touch") return
      cross = at(event)
      draw()
    }
    canvas.onpointerleave = canvas.onblur = () => {
      cross = null
      if (!clock) draw()
    }
    canvas.onclick = (event) => {
      const { step, target } = at(event)
      file(step, target)
    }
    canvas.onkeydown = (event) => {
      const far = event.shiftKey ? 10 : 1
      const move = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] }[event.key]
      if (event.key === "Enter" || event.key === " ") file(view.step, keyed)
      else if (move) {
        keyed = clamp(keyed + move[1], 0, record.targets - 1)
        cross = null
        if (move[0]) go(view.step + move[0])
        cross = { step: view.step, target: keyed }
        draw()
      } else return
      event.preventDefault()
    }
  }

  function row(y) {
    const part = (place.plot - EDGE - y) / (place.plot - 2 * EDGE)
    return clamp(Math.floor(part * record.targets), 0, record.targets - 1)
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
    rows.forEach(({ lane, canvas }, i) => {
      const top = (pad + i * (place.height + head)) * ratio
      g.fillStyle = lane.color
      g.fillText(lane.glyph, pad * ratio, top + 18 * ratio)
      g.fillStyle = ink
      g.fillText(`${lane.name}: ${lane.count} ${lane.allowed}`, (pad + 22) * ratio, top + 18 * ratio)
      g.drawImage(canvas, pad * ratio, top + head * ratio)
    })
    const link = document.createElement("a")
    link.href = sheet.toDataURL("image/png")
    link.download = "twin-worlds.png"
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

/* Draw one lane's window into a bitmap, every step of it; returns how many steps were drawn and how many differ. */
function paintTwins(bitmap, record, lane, view, place, ink) {
  const g = bitmap.getContext("2d")
  g.setTransform(1, 0, 0, 1, 0, 0)
  g.clearRect(0, 0, bitmap.width, bitmap.height)
  const ratio = bitmap.width / place.width
  const last = view.first + view.length - 1
  const r = Math.min(Math.max(0.25 * Math.sqrt((place.inner * place.plot) / view.length), 1.2), 4.5)
  const [quiet, filled, hollow] = [stamp("circle", ink, Math.max(0.45 * r, 0.8), true, ratio),
    stamp(lane.symbol, lane.color, 1.15 * r, true, ratio), stamp(lane.symbol, lane.color, 1.15 * r, false, ratio)]
  const put = (mark, step, target) => g.drawImage(mark, Math.round(place.x(step) * ratio - mark.width / 2),
    Math.round(place.y(target) * ratio - mark.width / 2))
  const differ = []
  g.globalAlpha = 0.3
  for (let step = view.first; step <= last; step++) {
    if (lane.with[step - 1] !== lane.without[step - 1]) differ.push(step)
    else put(quiet, step, lane.with[step - 1])
  }
  g.globalAlpha = 1
  g.setTransform(ratio, 0, 0, ratio, 0, 0)
  const width = Math.max(place.inner / view.length, 1)
  g.fillStyle = g.strokeStyle = lane.color
  for (const step of differ) {
    const x = place.x(step)
    g.globalAlpha = 0.1
    g.fillRect(x - width / 2, 0, width, place.plot)
    g.globalAlpha = 0.55
    g.fillRect(x - 0.5, place.y(Math.max(lane.with[step - 1], lane.without[step - 1])), 1,
      Math.abs(place.y(lane.with[step - 1]) - place.y(lane.without[step - 1])))
  }
  g.globalAlpha = 1
  g.setTransform(1, 0, 0, 1, 0, 0)
  for (const step of differ) {
    put(hollow, step, lane.without[step - 1])
    put(filled, step, lane.with[step - 1])
  }
  g.setTransform(ratio, 0, 0, ratio, 0, 0)
  signs(g, record, lane, view, place, ink)
  return { steps: view.length, differ: differ.length }
}

/* The report, the first difference, the states that differ, and the next audits of the reported organisation. */
function signs(g, record, lane, view, place, ink) {
  const last = view.first + view.length - 1
  const half = place.inner / view.length / 2
  const inside = (step) => step >= view.first && step <= last
  const upright = (x, dash) => {
    g.setLineDash(dash)
    g.beginPath()
    g.moveTo(x, 0)
    g.lineTo(x, place.height)
    g.stroke()
    g.setLineDash([])
  }
  const low = place.height - STRIP / 2
  const [begin, end] = [Math.max(record.at, view.first), Math.min(lane.meet || record.steps, last)]
  g.fillStyle = ink
  g.globalAlpha = 0.35
  if (begin <= end) g.fillRect(place.x(begin) - half, low - 2, place.x(end) - place.x(begin) + 2 * half, 4)
  g.globalAlpha = 1
  g.lineWidth = 1.5
  g.strokeStyle = lane.color
  if (inside(lane.first)) upright(place.x(lane.first), [])
  g.strokeStyle = ink
  if (lane.meet && inside(lane.meet)) {
    g.beginPath()
    g.moveTo(place.x(lane.meet) + half, low - STRIP / 2)
    g.lineTo(place.x(lane.meet) + half, low + STRIP / 2)
    g.stroke()
  }
  if (inside(record.at)) {
    const [x, y] = [place.x(record.at), place.y(record.about - 1)]
    upright(x, [3, 3])
    g.beginPath()
    g.arc(x, y, 7, 0, 2 * Math.PI)
    g.stroke()
  }
  g.strokeStyle = g.fillStyle = lane.color
  for (const [step, full] of [[lane.nextWithout, false], [lane.nextWith, true]]) {
    if (!inside(step)) continue
    g.beginPath()
    trace(g, lane.symbol, place.x(step), low, 4.5)
    if (full) g.fill()
    g.stroke()
  }
}

/* The step in hand: a thin line and both audits large; where the report would go: a cross. */
function point(g, lane, step, place, ink, cross) {
  const x = place.x(step)
  g.strokeStyle = ink
  g.globalAlpha = 0.5
  g.lineWidth = 1
  g.beginPath()
  g.moveTo(x, 0)
  g.lineTo(x, place.height)
  if (cross) {
    g.moveTo(0, place.y(cross.target))
    g.lineTo(place.width, place.y(cross.target))
  }
  g.stroke()
  g.globalAlpha = 1
  g.lineWidth = 2
  const [a, b] = [lane.with[step - 1], lane.without[step - 1]]
  if (a !== b) {
    g.strokeStyle = lane.color
    g.beginPath()
    trace(g, lane.symbol, x, place.y(b), 5.5)
    g.stroke()
  }
  g.strokeStyle = ink
  g.fillStyle = a === b ? ink : lane.color
  g.beginPath()
  trace(g, a === b ? "circle" : lane.symbol, x, place.y(a), a === b ? 2.5 : 5.5)
  g.stroke()
  g.fill()
}
