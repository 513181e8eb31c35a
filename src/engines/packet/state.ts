// State of a packet simulation, read out and put back at a common time. Numbers that hot code keeps in variables stay there, and are copied only here.
// Of memory only what was ever written is copied: most of it is room for what seldom happens, and 0 means "nothing yet".

/** What one part of the machine knows: numbers by name, and columns of words. */
export interface PartState {
  readonly numbers: Readonly<Record<string, number>>
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** Several parts as one, each name behind its part's. */
export function joined(parts: Readonly<Record<string, PartState>>): PartState {
  const numbers: Record<string, number> = {}
  const columns: Record<string, Int32Array> = {}
  for (const [part, state] of Object.entries(parts)) {
    for (const [name, n] of Object.entries(state.numbers)) numbers[`${part}.${name}`] = n
    for (const [name, column] of Object.entries(state.columns)) columns[`${part}.${name}`] = column
  }
  return { numbers, columns }
}

/** One of the parts that were joined. */
export function partOf(state: PartState, part: string): PartState {
  const of = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([name]) => name.startsWith(`${part}.`))
        .map(([name, value]) => [name.slice(part.length + 1), value]),
    )
  return { numbers: of(state.numbers), columns: of(state.columns) }
}

export function numberOf(state: PartState, name: string): number {
  const n = state.numbers[name]
  if (n === undefined) throw new Error(`the saved state lacks the number ${name}: it is damaged, or of another version; begin anew`)
  return n
}

export function columnOf(state: PartState, name: string): Int32Array {
  const column = state.columns[name]
  if (column === undefined) throw new Error(`the saved state lacks the column ${name}: it is damaged, or of another version; begin anew`)
  return column
}

/** Puts a column back that has always the same length. */
export function putBack(into: Int32Array, state: PartState, name: string): void {
  const column = columnOf(state, name)
  if (column.length !== into.length)
    throw new Error(`column ${name} has ${column.length} words in the saved state and ${into.length} here: go on with the same network`)
  into.set(column)
}

/** Words from a begin to an end. */
export type Range = readonly [from: number, to: number]

/** words that are looked at together: a page */
const BLOCK = 1024

/** The words of these ranges, without blocks that are all 0: `runs` are pairs (first word, how many), `words` what lies there. */
export function packWords(mem: Int32Array, ranges: readonly Range[]): PartState {
  const runs: number[] = []
  let all = 0
  for (const [from, to] of ranges)
    for (let at = from; at < to; at += BLOCK) {
      const end = Math.min(to, at + BLOCK)
      if (isEmpty(mem, at, end)) continue
      const last = runs.length - 2
      if (last >= 0 && runs[last]! + runs[last + 1]! === at) runs[last + 1]! += end - at
      else runs.push(at, end - at)
      all += end - at
    }
  const words = new Int32Array(all)
  for (let i = 0, n = 0; i < runs.length; n += runs[i + 1]!, i += 2) words.set(mem.subarray(runs[i]!, runs[i]! + runs[i + 1]!), n)
  return { numbers: {}, columns: { runs: Int32Array.from(runs), words } }
}

/** Puts packed words back; what else lies in the ranges becomes 0, and pages that are 0 already stay untouched. */
export function unpackWords(mem: Int32Array, ranges: readonly Range[], state: PartState): void {
  const runs = columnOf(state, "runs")
  const words = columnOf(state, "words")
  let all = 0
  for (let i = 0; i < runs.length; i += 2) {
    all += runs[i + 1]!
    if (runs[i]! < 0 || runs[i]! + runs[i + 1]! > mem.length)
      throw new Error(`words ${runs[i]} to ${runs[i]! + runs[i + 1]!} of the saved state lie beyond the ${mem.length} of this machine`)
  }
  if (all !== words.length) throw new Error(`the saved state has ${words.length} words where ${all} are named: it is damaged; begin anew`)
  for (const [from, to] of ranges)
    for (let at = from; at < to; at += BLOCK) {
      const end = Math.min(to, at + BLOCK)
      if (!isEmpty(mem, at, end)) mem.fill(0, at, end)
    }
  for (let i = 0, n = 0; i < runs.length; n += runs[i + 1]!, i += 2) mem.set(words.subarray(n, n + runs[i + 1]!), runs[i]!)
}

function isEmpty(mem: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (mem[i] !== 0) return false
  return true
}
