// Who sends to whom as a picture of letters: senders down, receivers across, the darker the more bytes.
import type { Flow } from "../../workloads/check/traffic.ts"

const shades = " ░▒▓█"
const widest = 48

export function matrixPicture(flows: readonly (readonly Flow[])[]): string {
  const ranks = flows.length
  const cells = Math.min(ranks, widest)
  const at = (rank: number) => Math.floor((rank * cells) / ranks)
  const sums = new Float64Array(cells * cells)
  flows.forEach((list, from) => {
    for (const f of list) sums[at(from) * cells + at(f.to)]! += Math.max(1, f.bytes)
  })
  const most = Math.max(...sums)
  if (!(most > 0)) return "no messages between ranks (what collectives send depends on their algorithms)"
  /** by orders of magnitude below the largest: each shade is a factor of 10 */
  const shade = (bytes: number) => (bytes === 0 ? " " : shades[Math.max(1, 4 - Math.floor(Math.log10(most / bytes)))]!)
  const lines = Array.from(
    { length: cells },
    (_, y) => `│${Array.from({ length: cells }, (_, x) => shade(sums[y * cells + x]!)).join("")}│`,
  )
  const each = ranks / cells
  const head = `bytes from (down) to (across), ${ranks} ranks${each > 1 ? `, ${Number(each.toFixed(1))} a cell` : ""}; █ up to ${most.toLocaleString("en")}, each shade below a tenth`
  return [head, `┌${"─".repeat(cells)}┐`, ...lines, `└${"─".repeat(cells)}┘`].join("\n")
}
