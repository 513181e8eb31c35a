// The script inside report.html, as text: values under the pointer, under the finger and by arrow keys; tables that
// sort. No library, no network.

export const script = `
const tip = document.getElementById("tip")
const ns = "http://www.w3.org/2000/svg"
for (const svg of document.querySelectorAll("svg[data-hits]")) {
  const { words, said } = JSON.parse(document.getElementById(svg.dataset.said).textContent)
  const places = JSON.parse(document.getElementById(svg.dataset.hits).textContent)
  const hits = places.map(([x, y, w, h], i) => {
    const [title, ...rows] = said[i]
    const details = rows.map(([name, text, exact = text]) => [words[name], text, exact])
    return { x, y, w, h, title: words[title], details }
  })
  svg.hits = hits
  const ring = document.createElementNS(ns, "path")
  ring.setAttribute("class", "ring")
  let at = -1
  const distance = (h, x, y) => {
    const dx = h.w === undefined ? x - h.x : Math.max(h.x - x, 0, x - h.x - h.w)
    const dy = h.h === undefined ? y - h.y : Math.max(h.y - y, 0, y - h.y - h.h)
    return dx * dx + dy * dy
  }
  const nearest = (x, y) => {
    let best = -1
    let least = 40 * 40
    hits.forEach((h, i) => {
      const d = distance(h, x, y)
      if (d < least) { least = d; best = i }
    })
    return best
  }
  const show = (i) => {
    at = i
    if (i < 0) { tip.style.visibility = "hidden"; ring.remove(); return }
    const h = hits[i]
    tip.replaceChildren()
    if (h.title) tip.append(Object.assign(document.createElement("b"), { textContent: h.title }))
    for (const [name, value, exact] of h.details) {
      const row = document.createElement("div")
      const label = Object.assign(document.createElement("span"), { textContent: name })
      row.append(label, Object.assign(document.createElement("output"), { textContent: value }))
      row.dataset.name = name
      row.dataset.exact = exact
      tip.append(row)
    }
    const disc = "M" + (h.x + 7) + "," + h.y + "a7,7 0 1 0 -14,0a7,7 0 1 0 14,0"
    const frame = "M" + h.x + "," + h.y + "h" + h.w + "v" + h.h + "h" + -h.w + "z"
    ring.setAttribute("d", h.w === undefined ? disc : frame)
    svg.append(ring)
    const box = svg.getBoundingClientRect()
    const scale = box.width / svg.viewBox.baseVal.width
    const x = box.left + (h.x + (h.w || 0) / 2) * scale
    const y = box.top + h.y * scale
    const size = tip.getBoundingClientRect()
    const left = Math.min(Math.max(8, x - size.width / 2), document.documentElement.clientWidth - size.width - 8)
    const above = y - size.height - 14
    const top = above > 4 ? above : y + ((h.h || 0) * scale) + 16
    tip.style.transform = "translate(" + Math.round(left) + "px," + Math.round(top) + "px)"
    tip.style.visibility = "visible"
  }
  const point = (event) => {
    const box = svg.getBoundingClientRect()
    const scale = svg.viewBox.baseVal.width / box.width
    show(nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale))
  }
  svg.addEventListener("pointermove", point)
  svg.addEventListener("pointerdown", point)
  svg.addEventListener("pointerleave", () => show(-1))
  svg.addEventListener("blur", () => show(-1))
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (event.key === "Escape") show(-1)
    if (step === undefined || hits.length === 0) return
    event.preventDefault()
    show((at + step + hits.length) % hits.length)
  })
}
addEventListener("scroll", () => { tip.style.visibility = "hidden" }, { passive: true })
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells]
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending"
    heads.forEach((h) => h.removeAttribute("aria-sort"))
    head.setAttribute("aria-sort", up ? "ascending" : "descending")
    const key = (row) => {
      const cell = row.cells[column]
      const value = cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value)
      return Number.isNaN(value) ? Infinity : value
    }
    const byText = (a, b) => String(a).localeCompare(String(b), undefined, { numeric: true })
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : byText(a, b))
    const sign = up ? 1 : -1
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]).sort((a, b) => sign * order(a[0], b[0]))
    table.tBodies[0].append(...rows.map((r) => r[1]))
  }))
}
addEventListener("beforeprint", () => document.querySelectorAll("details.print").forEach((d) => { d.open = true }))
`
