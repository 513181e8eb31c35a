// A run that can pause. Everything that it knows between two steps is plain data: what JSON carries, and columns. Whoever has both, and compiles the same
// specification again, goes on with the same bits: in this process, in another one, on another machine.
import type { RunResult } from "../model/experiment.ts"
import type { Sight } from "./sight/sight.ts"

/** What JSON carries and brings back as it was: no NaN, no infinity; those lie in columns. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array

export interface Saved {
  readonly state: JsonValue
  readonly columns: Readonly<Record<string, TypedArray>>
}

export interface Pausable {
  /** Goes on for about so many cycles (packet engine: of simulated time, too), and at least a little; true when the run has ended. */
  step(budget: number): boolean
  /** Everything that the rest of the run depends on, copied; between two steps only. */
  save(): Saved
}

/** milliseconds that a step takes, about */
const SHORT = 10
const LONG = 60

/** Steps that take some tens of milliseconds each, on any machine. */
export function paced(run: Pausable): () => boolean {
  let budget = 16
  return () => {
    const begun = performance.now()
    const done = run.step(budget)
    const took = performance.now() - begun
    if (took < SHORT) budget *= 2
    else if (took > LONG && budget > 1) budget /= 2
    return done
  }
}

/** A whole run, from its machine to its result. */
export interface PausableRun extends Pausable {
  /** the cycle that it stands at */
  readonly now: number
  /** once it has ended; sends its threads home */
  result(): Promise<RunResult>
  /** sends its threads home before it has ended */
  close(): Promise<void>
}

/** A run that can be watched, set back and stopped at any cycle. Where it is looked at changes no bit. */
export interface LiveRun extends PausableRun {
  /** Goes on to this cycle exactly (packet engine: to what happens before it); true when the run has ended, which may be earlier. */
  reach(cycle: number): boolean
  /** Takes over what it, or another run of the same specification, saved. In place: a second machine in one isolate is slower. */
  resume(saved: Saved): void
  /** what there is to see between two steps; undefined where other threads hold a part of it */
  sight(): Sight | undefined
}

/** Where states are kept; `workers`: those of the run, because its columns are laid out for them. */
export interface Keeper {
  /** what an earlier process wrote; undefined if there is nothing of use */
  read(): Kept | undefined
  /** the run goes on from what was read, at this cycle */
  goesOn(cycle: number): void
  /** nobody can go on from what was read, and why */
  refuse(why: string): void
  /** asked after every step */
  wants(): "go on" | "write" | "leave"
  write(kept: Kept): void
}

export interface Kept {
  readonly saved: Saved
  readonly workers: number
}

/** Runs `part` of a run. If it fails, its threads are sent home before the error is passed on: nobody else would do so. */
export async function orClose<R>(run: PausableRun, part: () => R | Promise<R>): Promise<R> {
  try {
    return await part()
  } catch (e) {
    await run.close()
    throw e
  }
}

/** Columns under names that begin alike. */
export function named(prefix: string, columns: Saved["columns"]): Record<string, TypedArray> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [prefix + name, c]))
}

/** The columns whose names begin so, without that beginning. */
export function under<A extends TypedArray>(prefix: string, columns: Readonly<Record<string, A>>): Record<string, A> {
  const found = Object.entries(columns).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(found.map(([name, c]) => [name.slice(prefix.length), c]))
}

/** A column of a saved run, of this kind (and length, where one is known); another one is refused. */
export function columnIn<A extends TypedArray>({ columns }: Saved, name: string, kind: { new (n: number): A }, length?: number): A {
  const column = columns[name]
  if (column instanceof kind && (length === undefined || column.length === length)) return column
  const given = column === undefined ? "none" : `${column.constructor.name} of length ${column.length}`
  throw new Error(
    `column ${name}: ${kind.name}${length === undefined ? "" : ` of length ${length}`} is expected, and the saved run has ${given}`,
  )
}
