// Checkpoints of one run in the results folder: its saved state, compressed with deflate. A file that is not a state of
// this run, or was written by another version, is moved aside with a message, and the run starts over. sweep/worker.ts
// creates Checkpoints, checkpointed-run.ts drives it, results/ has the file operations.
//
// Format: 4 bytes with the length of the JSON header (little endian), padding to 8 bytes, the header, then the columns.
// The header and each column begin at a multiple of 8 bytes, so that columns can be typed arrays on the buffer.
import { deflateSync, inflateSync } from "node:zlib"
import { buildVersion } from "../experiment/identity/version.ts"
import type { JsonValue, Saved, TypedArray } from "../measure/saved.ts"
import { checkpointPath, readCheckpoint, setCheckpointAside, writeCheckpoint } from "../results/checkpoints.ts"
import { complaintOf } from "../results/disk.ts"
import type { Keeper, Kept } from "./pausable.ts"

export interface CheckpointOrder {
  /** results folder, and hash of the run */
  readonly dir: string
  readonly hash: string
  /** seconds between two checkpoints; absent: none is written, but the run continues from an existing one */
  readonly every?: number
  /** start over, even if there is a checkpoint */
  readonly anew?: boolean
}

/** The JSON header. `little`: byte order of the columns. */
interface Head {
  readonly run: string
  readonly version: string
  readonly little: boolean
  readonly workers: number
  /** wall-clock seconds of the run so far, in all its processes */
  readonly seconds: number
  readonly state: JsonValue
  readonly columns: readonly (readonly [name: string, kind: string, length: number])[]
}

/** the fastest level, because a checkpoint consists mostly of zeros and small numbers */
const LEVEL = 1
const kinds = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const
const kindOf = new Map(kinds.map((k) => [k.name, k]))
const little = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** every column begins at a multiple of this */
const ALIGN = 8
const aligned = (n: number) => Math.ceil(n / ALIGN) * ALIGN

/** Returns the bytes of a checkpoint file. */
export function packed(run: string, { saved, workers }: Kept, seconds: number): Uint8Array {
  const columns = Object.entries(saved.columns)
  const head: Head = {
    ...{ run, version: buildVersion, little, workers, seconds, state: saved.state },
    columns: columns.map(([name, c]) => [name, c.constructor.name, c.length]),
  }
  const text = new TextEncoder().encode(JSON.stringify(head))
  const bytes = new Uint8Array(columns.reduce((n, [, c]) => n + aligned(c.byteLength), ALIGN + aligned(text.length)))
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, ALIGN)
  let at = ALIGN + aligned(text.length)
  for (const [, c] of columns) {
    bytes.set(new Uint8Array(c.buffer, c.byteOffset, c.byteLength), at)
    at += aligned(c.byteLength)
  }
  return deflateSync(bytes, { level: LEVEL })
}

export interface Packed extends Kept {
  readonly seconds: number
}

/** Returns the state in these bytes, or the reason why they are not a state of this run. */
export function unpacked(run: string, deflated: Uint8Array, version = buildVersion): Packed | string {
  const inflated = inflateSync(deflated)
  const bytes = new Uint8Array(inflated.length)
  bytes.set(inflated)
  const length = new DataView(bytes.buffer).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(ALIGN, ALIGN + length))) as Head
  if (head.run !== run) return "belongs to another run"
  // The hash of the run identifies the models, but the layout of a state may change with any version.
  if (head.version !== version) return `was written by version ${head.version}`
  if (head.little !== little) return "was written by a machine with another byte order"
  if (typeof head.seconds !== "number") return "does not contain the time of its run"
  const columns: Record<string, TypedArray> = {}
  let at = ALIGN + aligned(length)
  for (const [name, kind, n] of head.columns) {
    const make = kindOf.get(kind)
    if (make === undefined || at + n * make.BYTES_PER_ELEMENT > bytes.length)
      return `has no space for its column ${name}`
    columns[name] = new make(bytes.buffer, at, n)
    at += aligned(n * make.BYTES_PER_ELEMENT)
  }
  const saved: Saved = { state: head.state, columns }
  return { saved, workers: head.workers, seconds: head.seconds }
}

/** Like `unpacked`. A file with a correct checksum may still have been written by another program. */
function readable(run: string, bytes: Uint8Array): Packed | string {
  try {
    return unpacked(run, bytes)
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Times in milliseconds. `started`: when this process started the run. */
interface Clock {
  readonly now?: () => number
  readonly started?: number
}

export class Checkpoints implements Keeper {
  /** true if the state was saved because the run had to end */
  left = false
  private readonly order: CheckpointOrder
  private readonly mustLeave: () => boolean
  private readonly say: (text: string) => void
  private readonly clock: () => number
  private readonly started: number
  /** seconds of earlier processes, up to the state that this one continues from */
  private earlier = 0
  /** times: when the newest stored state was taken, how long writing it took, and when that had ended */
  private taken: number
  private took = 0
  private written: number
  private asked: number | undefined

  constructor(order: CheckpointOrder, mustLeave: () => boolean, say: (text: string) => void, clock: Clock = {}) {
    this.order = order
    this.mustLeave = mustLeave
    this.say = say
    this.clock = clock.now ?? (() => performance.now())
    this.taken = this.clock()
    this.written = this.taken
    this.started = clock.started ?? this.taken
  }

  /**
   * Seconds of the run so far: this process, and each earlier one up to the state from which the next one continued.
   */
  get seconds(): number {
    return this.earlier + (this.clock() - this.started) / 1000
  }

  read(): Kept | undefined {
    const { dir, hash, anew } = this.order
    if (anew === true) return undefined
    const bytes = this.attempted("no checkpoint was read", () => readCheckpoint(dir, hash))
    if (bytes === undefined || bytes === "absent") return undefined
    const kept = bytes === "damaged" ? "is not complete" : readable(hash, bytes)
    if (typeof kept === "string") {
      this.refuse(kept)
      return undefined
    }
    this.earlier = kept.seconds
    return kept
  }

  goesOn(cycle: number): void {
    this.say(`Run ${this.order.hash.slice(0, 10)} continues from its checkpoint at cycle ${cycle}.`)
  }

  refuse(why: string): void {
    const { dir, hash } = this.order
    this.earlier = 0
    const aside = this.attempted("lacewing cannot move it", () => setCheckpointAside(dir, hash))
    const where = aside === undefined ? "remove it" : `moved to ${aside}`
    this.say(`${checkpointPath(dir, hash)}: ${why}\n  fix: ${where}; the run starts over`)
  }

  /**
   * Decides when to save. A state is taken early enough that it is on disk before the previous one is older than
   * `every` seconds, if the next step takes at most twice as long as the last one. If writing takes long, the run still
   * gets half of the time.
   */
  wants(): "continue" | "write" | "leave" {
    const { every } = this.order
    const now = this.clock()
    const step = now - (this.asked ?? now)
    this.asked = now
    if (every === undefined) return "continue"
    if (this.mustLeave()) return "leave"
    const due = Math.max(this.taken + 1000 * every - 2 * step - this.took, this.written + this.took)
    return now >= due ? "write" : "continue"
  }

  /** Writes a state. A failure does not end the run: it continues, and the previous checkpoint is still there. */
  write(kept: Kept): void {
    const { dir, hash } = this.order
    this.left = this.mustLeave()
    this.taken = this.asked ?? this.taken
    this.attempted("no checkpoint was written", () => writeCheckpoint(dir, hash, packed(hash, kept, this.seconds)))
    this.written = this.clock()
    this.took = this.written - this.taken
    this.asked = this.written
  }

  /** Runs `act`. Reports file errors and states that are too large for one array, and returns undefined then. */
  private attempted<T>(what: string, act: () => T): T | undefined {
    const path = checkpointPath(this.order.dir, this.order.hash)
    try {
      return act()
    } catch (error) {
      const trouble =
        error instanceof RangeError
          ? { path, says: error.message, fix: "remove --checkpoint, because the state of this run is too large" }
          : complaintOf(error, path)
      this.say(`${trouble.path}: ${what}: ${trouble.says}\n  fix: ${trouble.fix}`)
      return undefined
    }
  }
}
