// The record of one round: which organisation was audited at each step. What the answer is never comes here.

function element(name, text = "", tag = "span") {
  const node = document.createElement(tag)
  node.className = name
  node.textContent = text
  return node
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".record")
  const { words } = data
  const steps = data.audits.map((audited, index) => {
    const suspected = index + 1 === data.step
    const cell = element(suspected ? "step suspected" : "step", "", "div")
    const tile = element(audited === data.about ? "tile about" : "tile", audited)
    cell.append(element("when", suspected ? `⚑ ${index + 1}` : index + 1), tile)
    if (data.others) {
      const told = element("told")
      data.others[index].forEach((target, place) => {
        if (place) told.append(" ")
        told.append(target === data.about ? element("", target, "b") : `${target}`)
      })
      cell.append(told)
    }
    return cell
  })
  root.querySelector(".steps").replaceChildren(...steps)
  root.querySelector(".steps").setAttribute("aria-label", words.alt)
  const about = element("")
  about.append(element("tile about", data.about), words.about)
  const mark = element("")
  mark.append(element("mark"), words.step)
  const legend = [about, mark]
  if (data.others) legend.push(element("", words.others))
  root.querySelector(".legend").replaceChildren(...legend)
  const spoken = root.querySelector(".spoken")
  if (spoken.textContent !== words.spoken) spoken.textContent = words.spoken
}
