// Checkpoint format of a measurement: the state of its phases, its batches and its outcome. The port adds the state of
// the engine, the counters and the watchdog (clocked/saved.ts, packet/port.ts). Numbers that may be NaN or infinite are
// in columns, because JSON cannot represent them.
import type { Batch } from "../engines/steady.ts"
import type { Course, Outcome, State } from "./course.ts"
import type { Remembered, Seen } from "./progress-watchdog.ts"
import { asJson, columnIn, type JsonValue, type Saved } from "./saved.ts"

/** The JSON part of a saved measurement. */
interface Words {
  readonly measure: State
  readonly ended: EndWords | null
  readonly port: JsonValue
}

/** Returns a copy of the measurement and of its port. */
export function saveCourse({ port, s, batches, outcome: o }: Course): Saved {
  const { state, columns } = port.save()
  const words: Words = { measure: { ...s }, ended: o === undefined ? null : endWords(o), port: state }
  return {
    state: asJson(words),
    columns: {
      ...columns,
      batches: batchWords(batches),
      ...(o === undefined ? {} : { "outcome.halves": halvesOf(o) }),
    },
  }
}

/** Returns the measurement without its port, which reads the same data. */
export function readCourse(saved: Saved): Pick<Course, "s" | "batches" | "outcome"> {
  const { measure, ended } = wordsIn(saved)
  return { s: measure, batches: batchesIn(saved), outcome: ended === null ? undefined : outcomeIn(saved, ended) }
}

/** Returns what the port saved, as a copy, so that the resumed run does not change the saved object. */
export function portIn<T>(saved: Saved): T {
  return wordsIn(saved).port as T
}

function wordsIn({ state }: Saved): Words {
  if (typeof state !== "object" || state === null || !("measure" in state))
    throw new Error("this is not a saved measurement")
  return JSON.parse(JSON.stringify(state)) as Words
}

// ---- Batches

const BATCH_WORDS = ["latency", "packets", "offered", "created", "accepted", "delivered", "backlog", "waiting"] as const

/** Returns the batches as a column. A batch without packets has no latency (NaN). */
function batchWords(batches: readonly Batch[]): Float64Array {
  return Float64Array.from(batches.flatMap((b) => BATCH_WORDS.map((w) => b[w])))
}

function batchesIn(saved: Saved): Batch[] {
  const words = columnIn(saved, "batches", Float64Array)
  return Array.from({ length: words.length / BATCH_WORDS.length }, (_, i) => {
    const at = words.subarray(i * BATCH_WORDS.length)
    return Object.fromEntries(BATCH_WORDS.map((name, k) => [name, at[k]])) as unknown as Batch
  })
}

// ---- Samples of the watchdog: a few numbers each, and the flits sent on each channel by then.

/** Returns the samples of a watchdog. `words`: numbers of a sample, `sent`: its column, which gets the name `name`. */
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

/** Returns the saved samples. `count`: numbers for each sample, `length`: length of its column. */
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
  return { seen, judged: words[0] }
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

// ---- Outcome

/** The outcome for JSON. `halves`: which half widths are known. They may be infinite, so they are in a column. */
interface EndWords extends Omit<Outcome, "half" | "acceptedHalf"> {
  readonly halves: readonly boolean[]
}

function endWords({ half, acceptedHalf, ...rest }: Outcome): EndWords {
  return { ...rest, halves: [half !== undefined, acceptedHalf !== undefined] }
}

function halvesOf({ half, acceptedHalf }: Outcome): Float64Array {
  return Float64Array.of(half ?? 0, acceptedHalf ?? 0)
}

function outcomeIn(saved: Saved, { halves, ...rest }: EndWords): Outcome {
  const [half, acceptedHalf] = columnIn(saved, "outcome.halves", Float64Array, 2)
  return {
    ...rest,
    ...(halves[0] === true ? { half } : {}),
    ...(halves[1] === true ? { acceptedHalf } : {}),
  }
}
