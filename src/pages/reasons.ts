// What is known about a figure whose rows fail: the sentence of the page that discusses its paper. A row `| \`fig2\` | … |` of a table, an item `- **Figure 7**: …`, or an item
// that begins with the network of its panels.

/** Networks of panels, where a page speaks of networks and not of figures. */
const panels: Readonly<Record<string, string>> = {
  ...of("qos/fig5", "abcd", "- 4-ary 3-tree"),
  ...of("qos/fig5", "efgh", "- 24-ary 2-tree"),
  ...of("qos/fig6", "abcd", "- 8x8 torus"),
  ...of("qos/fig6", "efgh", "- 4x4x4 torus"),
  "qos/assumptions": "`qos/assumptions` changes",
}

function of(figure: string, letters: string, begin: string): Record<string, string> {
  return Object.fromEntries([...letters].map((l) => [`${figure}${l}`, begin]))
}

/** `id`: cbcm/fig2. Undefined: the page does not speak of it. */
export function reasonOf(id: string, page: string): string | undefined {
  const lines = page.split("\n")
  const name = id.slice(id.indexOf("/") + 1)
  const row = lines.find((l) => l.startsWith(`| \`${name}\` |`))
  if (row !== undefined)
    return row
      .split(" | ")
      .at(-1)!
      .replace(/\s*\|\s*$/, "")
  const number = /^fig(\d+)/.exec(name)?.[1]
  const begin = panels[id] ?? (number === undefined ? undefined : `- **Figure ${number}**`)
  const at = begin === undefined ? -1 : lines.findIndex((l) => l.startsWith(begin))
  if (at < 0) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((l) => l.trim() === "" || /^(- |#|\|)/.test(l))
  return [lines[at]!.replace(/^- /, ""), ...rest.slice(0, end < 0 ? rest.length : end).map((l) => l.trim())].join(" ").replaceAll("**", "")
}
