// What measurements of all engines have in common when they are written down as plain data: batches, looks, and how the run ended.
import type { Batch } from "../engines/steady.ts"
import type { StopReason } from "../model/experiment.ts"
import type { Remembered, Seen } from "./looks.ts"
import { columnIn, type JsonValue, type Saved } from "./pausable.ts"

export type Phase = "start" | "warm up" | "jobs" | "lead" | "window" | "precise" | "overloaded" | "drain" | "ended"

/** What JSON keeps of it. */
export function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

// ---- batches

const BATCH_WORDS = ["latency", "packets", "offered", "created", "accepted", "backlog", "waiting"] as const

/** A column: batches without a packet have no latency, which JSON has no word for. */
export function batchWords(batches: readonly Batch[]): Float64Array {
  return Float64Array.from(batches.flatMap((b) => BATCH_WORDS.map((w) => b[w])))
}

export function batchesIn(saved: Saved): Batch[] {
  const words = columnIn(saved, "batches", Float64Array)
  return Array.from({ length: words.length / BATCH_WORDS.length }, (_, i) => {
    const at = words.subarray(i * BATCH_WORDS.length)
    return Object.fromEntries(BATCH_WORDS.map((name, k) => [name, at[k]!])) as unknown as Batch
  })
}

// ---- looks: a few numbers of each, and what had been sent where by then

/** `words`: the numbers of a look, `sent`: its column, which is called `name`. */
export function lookColumns<L extends Seen>(
  { judged, seen }: Remembered<L>,
  words: (look: L) => readonly number[],
  name: string,
  sent: (look: L) => Uint32Array,
): { looks: Float64Array; [column: string]: Float64Array | Uint32Array } {
  return {
    looks: Float64Array.from([judged, ...seen.flatMap(words)]),
    [`looks.${name}`]: joined(seen.map(sent)),
  }
}

/** `count`: numbers of a look, `length`: of what had been sent. */
export function looksIn<L extends Seen>(
  saved: Saved,
  { count, name, length }: { count: number; name: string; length: number },
  make: (words: Float64Array, sent: Uint32Array) => L,
): Remembered<L> {
  const words = columnIn(saved, "looks", Float64Array)
  const n = (words.length - 1) / count
  const sent = columnIn(saved, `looks.${name}`, Uint32Array, n * length)
  const seen = Array.from({ length: n }, (_, i) =>
    make(words.subarray(1 + i * count, 1 + (i + 1) * count), sent.slice(i * length, (i + 1) * length)),
  )
  return { seen, judged: words[0]! }
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((n, p) => n + p.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

// ---- how it ended

interface End {
  readonly why: StopReason
  readonly explains: string
  readonly from: number
  readonly to: number
  readonly half?: number
  readonly acceptedHalf?: number
  readonly created?: number
}

/** For JSON; `halves`: which of them are known. They may be infinite, so they lie in a column. */
export interface EndWords {
  readonly why: StopReason
  readonly explains: string
  readonly from: number
  readonly to: number
  readonly halves: readonly boolean[]
  readonly created?: number
}

export function endWords({ why, explains, from, to, half, acceptedHalf, created }: End): EndWords {
  return {
    why,
    explains,
    from,
    to,
    halves: [half !== undefined, acceptedHalf !== undefined],
    ...(created === undefined ? {} : { created }),
  }
}

export function halvesOf({ half, acceptedHalf }: End): Float64Array {
  return Float64Array.of(half ?? 0, acceptedHalf ?? 0)
}

export function outcomeIn(saved: Saved, { why, explains, from, to, halves, created }: EndWords): End {
  const [half, acceptedHalf] = columnIn(saved, "outcome.halves", Float64Array, 2)
  return {
    ...{ why, explains, from, to },
    ...(halves[0] === true ? { half: half! } : {}),
    ...(halves[1] === true ? { acceptedHalf: acceptedHalf! } : {}),
    ...(created === undefined ? {} : { created }),
  }
}
