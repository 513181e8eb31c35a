// Destinations from a traffic matrix in CSV: either one row of weights for each source, or rows `from,to,weight` under
// that heading. Limits: a row gives only proportions; the amount that a source sends is the load of the stream.
import { type Complaint, complain } from "../../core/complaint.ts"
import { schema, text } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin, Site } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { Alias } from "../alias.ts"
import { SILENT } from "../permutation.ts"

/** Weights by source, only those above 0: source s has to[first[s]] .. to[first[s + 1] - 1]. */
type Weights = { first: Int32Array; to: Int32Array; weight: Float64Array }
type Entry = { from: End; to: End; weight: number }

const MOST = 5

/** Reads both forms. Returns the weights, or errors with line numbers. */
export function readMatrix(csv: string, ends: number, path: string): Weights | Complaint[] {
  const bad: Complaint[] = []
  const entries: Entry[] = []
  const lines = csv
    .split(/\r?\n/)
    .map((line, i) => ({ at: `line ${i + 1}`, cells: line.split(/[,;\t]/).map((c) => c.trim()) }))
  const rows = lines.filter(({ cells }) => cells.some((c) => c !== "") && !cells[0].startsWith("#"))
  const listed = rows[0]?.cells.join(",").toLowerCase() === "from,to,weight"
  const add = (at: string, from: number, to: number, cell: string): void => {
    const weight = cell === "" ? 0 : Number(cell)
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < 0 || from >= ends || to >= ends)
      bad.push(
        complain(
          path,
          `${at}: no endpoint pair ${from}, ${to} in a network of ${ends}`,
          `use endpoints 0 to ${ends - 1}`,
        ),
      )
    else if (!Number.isFinite(weight) || weight < 0)
      bad.push(complain(path, `${at}: "${cell}" is not a weight`, "write a number, 0 or more"))
    else if (weight > 0) entries.push({ from, to, weight })
  }
  if (listed)
    for (const { at, cells } of rows.slice(1)) {
      if (cells.length === 3) add(at, Number(cells[0] || Number.NaN), Number(cells[1] || Number.NaN), cells[2])
      else bad.push(complain(path, `${at}: has ${cells.length} cells`, "write from,to,weight"))
    }
  else {
    if (rows.length !== ends)
      bad.push(
        complain(
          path,
          `has ${rows.length} rows; this network has ${ends} endpoints`,
          'give a row for each, or rows under the heading "from,to,weight"',
        ),
      )
    rows.forEach(({ at, cells }, from) => {
      if (cells.length !== ends)
        bad.push(complain(path, `${at}: has ${cells.length} cells`, `give ${ends}, one for each destination`))
      else for (let to = 0; to < ends; to++) add(at, from, to, cells[to])
    })
  }
  if (bad.length === 0 && entries.length === 0)
    bad.push(complain(path, "has no weight above 0", "give at least one weight above 0"))
  if (bad.length > MOST)
    bad.splice(MOST, bad.length, complain(path, `and ${bad.length - MOST} more`, "correct these first"))
  return bad.length > 0 ? bad : compress(entries, ends)
}

/** Sorts the entries by source (counting sort), so that each source has a contiguous range. */
function compress(entries: readonly Entry[], ends: number): Weights {
  const first = new Int32Array(ends + 1)
  for (const e of entries) first[e.from + 1]++
  for (let s = 0; s < ends; s++) first[s + 1] += first[s]
  const next = first.slice()
  const to = new Int32Array(entries.length)
  const weight = new Float64Array(entries.length)
  for (const e of entries) {
    const i = next[e.from]++
    to[i] = e.to
    weight[i] = e.weight
  }
  return { first, to, weight }
}

/** One alias table for each source, in the columns of one Alias. A draw takes constant time. */
class Matrix implements TrafficPattern {
  private readonly first: Int32Array
  private readonly to: Int32Array
  private readonly alias: Alias
  constructor({ first, to, weight }: Weights) {
    this.first = first
    this.to = to
    this.alias = new Alias(to.length)
    for (let s = 0; s + 1 < first.length; s++) this.alias.set(first[s], weight.subarray(first[s], first[s + 1]))
  }
  dest(from: End, rng: Rng): End {
    const at = this.first[from]
    const n = this.first[from + 1] - at
    return n === 0 ? SILENT : this.to[at + this.alias.draw(at, n, rng)]
  }
}

function load(file: string, on: Site): Weights | Complaint[] {
  if (on.read === undefined)
    return [complain("file", "no file can be read here", "run the experiment from the command line")]
  let csv: string
  try {
    csv = on.read(file)
  } catch (error) {
    return [
      complain(
        "file",
        `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        "check the path; it is relative to the experiment",
      ),
    ]
  }
  return readMatrix(csv, on.topology.graph.ends, "file")
}

export default {
  kind: "pattern",
  name: "matrix",
  about: "Destinations in the proportions of a traffic matrix from a CSV file.",
  limits:
    "a row gives proportions; how much a source sends is the stream's load, " +
    "and a source whose row is empty does not send",
  params: schema({
    file: text({ about: 'CSV file: one row of weights per source, or rows under the heading "from,to,weight"' }),
  }),
  check(p, on): Complaint[] {
    const got = load(p.file, on)
    return Array.isArray(got) ? got : []
  },
  make(p, on) {
    const got = load(p.file, on)
    if (Array.isArray(got)) throw new Error(`matrix was made in spite of: ${got[0].says}`)
    return new Matrix(got)
  },
} satisfies PatternPlugin<{ file: string }>
