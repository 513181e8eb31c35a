// The search index of the manual and the script that uses it: one file of at most 100 kB without a library. The index
// has one line per page: kind, names, text.
import { type Entry, order } from "./entry.ts"

/** limit of the file in bytes */
export const mostBytes = 100_000

/**
 * Returns the file. It shortens the texts until the file fits. `more`: further words of a page, such as its headings.
 */
export function indexOf(entries: readonly Entry[], more: ReadonlyMap<string, string> = new Map()): string {
  for (let about = 90; about >= 20; about -= 10) {
    const lines = entries.map((e) =>
      [
        e.family ?? e.kind,
        [e.name, ...e.also].join(","),
        short(e.about, about),
        ...(more.has(e.file) ? [more.get(e.file)!] : []),
      ].join("|"),
    )
    const text = script(lines.join("\n"))
    if (Buffer.byteLength(text) <= mostBytes) return text
  }
  throw new Error(`the search index of ${entries.length} pages does not fit into ${mostBytes} bytes`)
}

function short(text: string, most: number): string {
  const plain = text.replaceAll("|", "/").replace(/\s+/g, " ")
  return plain.length <= most ? plain : `${plain.slice(0, plain.lastIndexOf(" ", most))} …`
}

/** Returns the script of the page. It must use the same `slug` and ranking as entry.ts. */
function script(lines: string): string {
  return `const pages = ${JSON.stringify(lines)}.split("\\n").map((line) => {
  const [of, names, about, more = ""] = line.split("|")
  const [name, ...also] = names.split(",")
  const slug = name.replace(/(^|\\.)([A-Z])(?=\\.|$)/g, "$1capital-$2").toLowerCase().replace(/[^a-z0-9.+-]+/g, "-")
  return { of, name, also, about, more, file: (of === "page" ? slug : of + "-" + slug) + ".html", names: [name, ...also].map((n) => n.toLowerCase()) }
})
const order = ${JSON.stringify(order)}
const place = (of) => (order.includes(of) ? order.indexOf(of) : order.indexOf("plug-in"))
function rank(p, word, query) {
  if (p.name === query) return -1
  if (p.names[0] === word) return 0
  if (p.names.includes(word)) return 1
  if (p.names.some((n) => n.split(/[.\\s-]/).includes(word))) return 2
  if (p.names.some((n) => n.includes(word))) return 3
  if (p.about.toLowerCase().includes(word)) return 4
  return p.more.toLowerCase().includes(word) ? 5 : 9
}
function find(query) {
  const word = query.trim().toLowerCase()
  if (word === "") return []
  return pages.map((p, i) => [rank(p, word, query.trim()), place(p.of), i, p]).filter((x) => x[0] < 9).sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).map((x) => x[3])
}
const input = document.getElementById("word")
const found = document.getElementById("found")
const count = document.getElementById("count")
function show() {
  const all = find(input.value)
  found.replaceChildren(...all.slice(0, 24).map((p) => {
    const li = document.createElement("li")
    const a = document.createElement("a")
    a.href = p.file
    const b = document.createElement("b")
    b.textContent = p.name
    const of = document.createElement("span")
    of.className = "of"
    of.textContent = " " + p.of
    const about = document.createElement("span")
    about.className = "about"
    about.textContent = p.about
    a.append(b, of, about)
    li.append(a)
    return li
  }))
  const query = input.value.trim() !== ""
  found.hidden = !query || all.length === 0
  count.textContent = query ? (all.length === 0 ? "nothing is found" : all.length + " found") : ""
}
input.addEventListener("input", show)
document.getElementById("search").addEventListener("submit", (e) => {
  e.preventDefault()
  const first = find(input.value)[0]
  if (first !== undefined) location.href = first.file
})
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== input) {
    e.preventDefault()
    input.focus()
  } else if (e.key === "Escape") found.hidden = true
  else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && !found.hidden && document.getElementById("search").contains(document.activeElement)) {
    const links = [...found.querySelectorAll("a")]
    const at = links.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1)
    e.preventDefault()
    ;(links[at] ?? input).focus()
  }
})
document.addEventListener("click", (e) => { if (!document.getElementById("search").contains(e.target)) found.hidden = true })
// browsers load no modules from disk, so the studio needs a server: show the command instead of the link
if (location.protocol === "file:") for (const also of document.querySelectorAll(".served")) also.remove()
if (location.protocol === "file:") for (const a of document.querySelectorAll("a.run")) {
  const how = document.createElement("span")
  const command = document.createElement("code")
  command.textContent = "npx lacewing manual " + decodeURIComponent(location.pathname.split("/").pop()).replace(/\\.html$/, "") + " --serve"
  how.append(a.textContent + " after ", command)
  a.replaceWith(how)
}
const query = new URLSearchParams(location.search).get("q")
if (query !== null) { input.value = query; show() }
`
}
