// The communication matrix of a trace as text: senders in rows, receivers in columns, darker for more bytes.
import type { Flow } from "../../workloads/check/traffic.ts"

/** by orders of magnitude below the maximum: each shade is a factor of 10 */
const shades = " ░▒▓█"
const widest = 48

export function matrixPicture(flows: readonly (readonly Flow[])[]): string {
  const ranks = flows.length
  const cells = Math.min(ranks, widest)
  const at = (rank: number) => Math.floor((rank * cells) / ranks)
  const sums = new Float64Array(cells * cells)
  flows.forEach((list, from) => {
    for (const f of list) sums[at(from) * cells + at(f.to)] += Math.max(1, f.bytes)
  })
  const most = Math.max(...sums)
  if (!(most > 0)) return "no point-to-point messages (the messages of collectives depend on their algorithms)"
  /** by orders of magnitude below the largest: each shade is a factor of 10 */
  const shade = (bytes: number) => (bytes === 0 ? " " : shades[Math.max(1, 4 - Math.floor(Math.log10(most / bytes)))])
  const lines = Array.from(
    { length: cells },
    (_, y) => `│${Array.from({ length: cells }, (_, x) => shade(sums[y * cells + x])).join("")}│`,
  )
  const each = ranks / cells
  const head =
    `bytes from rank (row) to rank (column), ${ranks} ` +
    `ranks${each > 1 ? `, ${Number(each.toFixed(1))} per cell` : ""}; █ up to ${most.toLocaleString("en")}, ` +
    "each lighter shade is a tenth"
  return [head, `┌${"─".repeat(cells)}┐`, ...lines, `└${"─".repeat(cells)}┘`].join("\n")
}
