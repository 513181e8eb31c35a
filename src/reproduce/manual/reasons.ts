// Known causes of failing rows: the sentence of the page that discusses the paper. It is found as a row `| \`fig2\` | …
// |` of a table, an item `- **Figure 7**: …`, or an item that begins with the network of the panels.

/** Networks of panels, for pages that discuss networks instead of figures. */
const panels: Readonly<Record<string, string>> = {
  ...of("qos/fig5", "abcd", "- 4-ary 3-tree"),
  ...of("qos/fig5", "efgh", "- 24-ary 2-tree"),
  ...of("qos/fig6", "abcd", "- 8x8 torus"),
  ...of("qos/fig6", "efgh", "- 8x8x8 torus"),
  "qos/assumptions": "`qos/assumptions` changes",
  "fbicm/assumptions": "With the literal rules (`stopRule",
  "fbicm/adapters": "`npx lacewing paper fbicm/adapters --full` does the same",
  "fitfly/fig10": "More than eight workers do not pay",
}

function of(figure: string, letters: string, begin: string): Record<string, string> {
  return Object.fromEntries([...letters].map((l) => [`${figure}${l}`, begin]))
}

/** Known causes of rows of `validate` that fail, by the prefix of their names. */
const peers: readonly (readonly [begin: string, says: string])[] = [
  [
    "micro-switch8-uniform",
    "the reference is three short seeds of BookSim2, which gives 0.6446 itself over 6 runs " +
      "of 20,000 cycles where 0.639 was recorded, and ours 0.6444",
  ],
  ["micro-switch4-bitcomp", "the reference is three short seeds, and its own standard error is larger than the bound"],
  ["defaultstop-mesh8x8-uniform-p1-0.42", "near saturation: seeds of BookSim2 differ by 14 % of their mean"],
  [
    "halo27e_dragonfly_dally_72n_prog_dis1",
    "CODES' one run lies 2.5 % above the mean of 64 seeds of ours, 2.9 of their standard deviations (0.87 % " +
      "each); 2 % is allowed. One run cannot show whether it is random or an offset",
  ],
]

/** `id`: of a row of `validate`. Returns undefined if no cause is known. */
export function peerReasonOf(id: string): string | undefined {
  return peers.find(([begin]) => id.startsWith(begin))?.[1]
}

/** `id`: such as cbcm/fig2. Returns undefined if the page does not discuss it. */
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
  // A paragraph for one panel, such as **6b.**
  const own = `**${name.replace(/^fig/, "")}.**`
  const begin = lines.some((l) => l.startsWith(own))
    ? own
    : (panels[id] ?? (number === undefined ? undefined : `- **Figure ${number}**`))
  const at = begin === undefined ? -1 : lines.findIndex((l) => l.startsWith(begin))
  if (at < 0) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((l) => l.trim() === "" || /^(- |#|\|)/.test(l))
  return [lines[at].replace(/^- /, ""), ...rest.slice(0, end < 0 ? rest.length : end).map((l) => l.trim())]
    .join(" ")
    .replaceAll("**", "")
}
