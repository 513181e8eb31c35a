// Saving and restoring the state of a packet simulation at a common time. Hot code keeps numbers in local variables;
// they are copied only here. Of the memory, only words that were ever written are copied. Most of it is reserved for
// rare cases, and 0 always means "unused". run/ stores the result as a checkpoint.

/** State of one part of the machine: numbers by name, and columns of words. */
export interface PartState {
  readonly numbers: Readonly<Record<string, number>>
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** Joins several parts into one; each name gets its part's name as prefix. */
export function joined(parts: Readonly<Record<string, PartState>>): PartState {
  const numbers: Record<string, number> = {}
  const columns: Record<string, Int32Array> = {}
  for (const [part, state] of Object.entries(parts)) {
    for (const [name, n] of Object.entries(state.numbers)) numbers[`${part}.${name}`] = n
    for (const [name, column] of Object.entries(state.columns)) columns[`${part}.${name}`] = column
  }
  return { numbers, columns }
}

/** Returns one of the joined parts. */
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
  if (n === undefined)
    throw new Error(`the saved state has no number ${name}: it is damaged or from another version; start the run again`)
  return n
}

export function columnOf(state: PartState, name: string): Int32Array {
  const column = state.columns[name]
  if (column === undefined)
    throw new Error(`the saved state has no column ${name}: it is damaged or from another version; start the run again`)
  return column
}

/** Restores a column of fixed length. */
export function putBack(into: Int32Array, state: PartState, name: string): void {
  const column = columnOf(state, name)
  if (column.length !== into.length)
    throw new Error(
      `column ${name} has ${column.length} words in the saved state and ` +
        `${into.length} here: resume with the same network`,
    )
  into.set(column)
}

/** A range of words: first, and one past the last. */
export type Range = readonly [from: number, to: number]

/** words that are tested together: one page of memory */
const BLOCK = 1024

/**
 * Packs the words of these ranges without blocks that are all 0. `runs` has pairs (first word, count); `words` has
 * their contents.
 */
export function packWords(mem: Int32Array, ranges: readonly Range[]): PartState {
  const runs: number[] = []
  let all = 0
  for (const [from, to] of ranges)
    for (let at = from; at < to; at += BLOCK) {
      const end = Math.min(to, at + BLOCK)
      if (isEmpty(mem, at, end)) continue
      const last = runs.length - 2
      if (last >= 0 && runs[last] + runs[last + 1] === at) runs[last + 1] += end - at
      else runs.push(at, end - at)
      all += end - at
    }
  const words = new Int32Array(all)
  for (let i = 0, n = 0; i < runs.length; n += runs[i + 1], i += 2)
    words.set(mem.subarray(runs[i], runs[i] + runs[i + 1]), n)
  return { numbers: {}, columns: { runs: Int32Array.from(runs), words } }
}

/** Restores packed words. All other words of the ranges become 0; pages that are 0 already are not touched. */
export function unpackWords(mem: Int32Array, ranges: readonly Range[], state: PartState): void {
  const runs = columnOf(state, "runs")
  const words = columnOf(state, "words")
  let all = 0
  for (let i = 0; i < runs.length; i += 2) {
    all += runs[i + 1]
    if (runs[i] < 0 || runs[i] + runs[i + 1] > mem.length)
      throw new Error(
        `words ${runs[i]} to ${runs[i] + runs[i + 1]} of the saved state lie beyond the ${mem.length} of this machine`,
      )
  }
  if (all !== words.length)
    throw new Error(
      `the saved state has ${words.length} words, but ${all} are named: it is damaged; start the run again`,
    )
  for (const [from, to] of ranges)
    for (let at = from; at < to; at += BLOCK) {
      const end = Math.min(to, at + BLOCK)
      if (!isEmpty(mem, at, end)) mem.fill(0, at, end)
    }
  for (let i = 0, n = 0; i < runs.length; n += runs[i + 1], i += 2) mem.set(words.subarray(n, n + runs[i + 1]), runs[i])
}

function isEmpty(mem: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (mem[i] !== 0) return false
  return true
}
