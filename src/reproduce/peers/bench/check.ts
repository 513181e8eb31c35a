// How long the proof takes on the networks of the papers at full size; each in a process of its own. Bound: 60 s.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Named } from "../../../model/experiment.ts"
import { compileHere } from "../../../run/compile-here.ts"

export interface CheckSubject {
  readonly name: string
  readonly topology: Named
  readonly routing: string
  readonly vcs: number
}

export const checkSubjects: readonly CheckSubject[] = [
  {
    name: "dragonfly PAR6/2",
    topology: { name: "dragonfly", p: 5, a: 11, h: 5, g: 56 },
    routing: "dragonfly.par62",
    vcs: 6,
  },
  { name: "Slim Fly UGAL", topology: { name: "slimfly", q: 13, p: 9 }, routing: "slimfly.ugal-l", vcs: 4 },
  {
    name: "megafly PAR",
    topology: { name: "megafly", groups: 10, leaves: 18, spines: 18, p: 18 },
    routing: "megafly.par",
    vcs: 2,
  },
  {
    name: "CODES dragonfly PAR",
    topology: { name: "dragonfly", p: 9, a: 18, h: 9, g: 19, arrangement: "codes" },
    routing: "dragonfly.par-codes",
    vcs: 4,
  },
  { name: "4-ary 4-tree", topology: { name: "tree", k: 4, n: 4 }, routing: "tree.destination-digit", vcs: 1 },
  {
    name: "flattened butterfly UGAL",
    topology: { name: "hyperx", sides: "8x8", p: 8 },
    routing: "hyperx.ugal-l",
    vcs: 4,
  },
  {
    name: "torus with trunks",
    topology: { name: "torus", sides: "8x8x8", p: 4, trunk: 4 },
    routing: "torus.dimension-order",
    vcs: 2,
  },
  {
    name: "torus with trunks, bubble",
    topology: { name: "torus", sides: "8x8x8", p: 4, trunk: 4 },
    routing: "torus.bubble",
    vcs: 1,
  },
]

export interface CheckRow {
  readonly name: string
  readonly endpoints: number
  /** how it is known to be free, and the fewest VCs found */
  readonly by: string
  readonly vcs: number
  /** routing decisions of the proof with the VCs given */
  readonly work: number
  readonly cpuSeconds: number
  readonly rss: number
}

/** Seconds that the check of a network may take. */
export const mostSeconds = 60

export function benchCheck(match: RegExp, onRow: (row: CheckRow) => void): CheckRow[] {
  const child = fileURLToPath(new URL("./check-child.js", import.meta.url))
  return checkSubjects
    .filter((s) => match.test(s.name))
    .map(({ name }) => {
      const got = spawnSync(process.execPath, [...compileHere, child, name], { encoding: "utf8" })
      if (got.status !== 0) throw new Error(got.stderr)
      const row = JSON.parse(got.stdout) as CheckRow
      onRow(row)
      return row
    })
}
