// Everything on one sheet: where the type of this machine runs wider than expected, it is set a little smaller.
const sheet = document.querySelector(".sheet")
const root = document.documentElement
const size = parseFloat(getComputedStyle(root).fontSize)
if (innerWidth >= 800) {
  for (let share = 1; share > 0.75 && sheet.scrollHeight > sheet.clientHeight + 1; share -= 0.01) {
    root.style.fontSize = `${size * share}px`
  }
}
