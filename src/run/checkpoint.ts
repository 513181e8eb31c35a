// Checkpoints of one run in the results folder: its saved state, deflated. Whatever is not the state of this run, by this version, is set aside and said.
import { deflateSync, inflateSync } from "node:zlib"
import { buildVersion } from "../experiment/identity/version.ts"
import { checkpointPath, readCheckpoint, setCheckpointAside, writeCheckpoint } from "../results/checkpoints.ts"
import { complaintOf } from "../results/disk.ts"
import type { JsonValue, Keeper, Kept, Saved, TypedArray } from "./pausable.ts"

export interface CheckpointOrder {
  /** results folder, and name of the run */
  readonly dir: string
  readonly hash: string
  /** seconds between two checkpoints; absent: none is written, and one that is there is gone on from */
  readonly every?: number
  /** begin anew, whatever is there */
  readonly anew?: boolean
}

interface Head {
  readonly run: string
  readonly version: string
  readonly little: boolean
  readonly workers: number
  /** that the run has taken so far, in all its processes */
  readonly seconds: number
  readonly state: JsonValue
  readonly columns: readonly (readonly [name: string, kind: string, length: number])[]
}

/** fast: a checkpoint is mostly zeros and small numbers */
const LEVEL = 1
const kinds = [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array] as const
const kindOf = new Map(kinds.map((k) => [k.name, k]))
const little = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** every column begins at a multiple of this */
const ALIGN = 8
const aligned = (n: number) => Math.ceil(n / ALIGN) * ALIGN

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

/** A sentence where these are not the bytes of a state of this run. */
export function unpacked(run: string, deflated: Uint8Array, version = buildVersion): Packed | string {
  const inflated = inflateSync(deflated)
  const bytes = new Uint8Array(inflated.length)
  bytes.set(inflated)
  const length = new DataView(bytes.buffer).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(ALIGN, ALIGN + length))) as Head
  if (head.run !== run) return "is the state of another run"
  // the name of the run tells models apart; how a state is laid out may change with any version
  if (head.version !== version) return `was written by version ${head.version}`
  if (head.little !== little) return "was written by a machine with another order of bytes"
  if (typeof head.seconds !== "number") return "does not say how long its run has taken"
  const columns: Record<string, TypedArray> = {}
  let at = ALIGN + aligned(length)
  for (const [name, kind, n] of head.columns) {
    const make = kindOf.get(kind)
    if (make === undefined || at + n * make.BYTES_PER_ELEMENT > bytes.length) return `has no room for its column ${name}`
    columns[name] = new make(bytes.buffer, at, n)
    at += aligned(n * make.BYTES_PER_ELEMENT)
  }
  const saved: Saved = { state: head.state, columns }
  return { saved, workers: head.workers, seconds: head.seconds }
}

/** A file whose checksum is right may still be none of ours. */
function readable(run: string, bytes: Uint8Array): Packed | string {
  try {
    return unpacked(run, bytes)
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Times in milliseconds. `started`: when this process began with the run. */
interface Clock {
  readonly now?: () => number
  readonly started?: number
}

export class Checkpoints implements Keeper {
  /** the run was written down because it had to end */
  left = false
  private readonly order: CheckpointOrder
  private readonly mustLeave: () => boolean
  private readonly say: (text: string) => void
  private readonly clock: () => number
  private readonly started: number
  /** seconds of earlier processes, up to the state that this one goes on from */
  private earlier = 0
  /** when the newest state that is written was taken, how long it took to write, and when that had ended */
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

  /** What the run has taken so far: this process, and each one before up to the state that the next went on from. */
  get seconds(): number {
    return this.earlier + (this.clock() - this.started) / 1000
  }

  read(): Kept | undefined {
    const { dir, hash, anew } = this.order
    if (anew === true) return undefined
    const bytes = this.attempted("no checkpoint was read", () => readCheckpoint(dir, hash))
    if (bytes === undefined || bytes === "absent") return undefined
    const kept = bytes === "damaged" ? "is not whole" : readable(hash, bytes)
    if (typeof kept === "string") {
      this.refuse(kept)
      return undefined
    }
    this.earlier = kept.seconds
    return kept
  }

  goesOn(cycle: number): void {
    this.say(`run ${this.order.hash.slice(0, 10)} goes on from its checkpoint at cycle ${cycle}`)
  }

  refuse(why: string): void {
    const { dir, hash } = this.order
    this.earlier = 0
    const aside = this.attempted("it cannot be set aside", () => setCheckpointAside(dir, hash))
    const where = aside === undefined ? "remove it" : `set aside as ${aside}`
    this.say(`${checkpointPath(dir, hash)}: ${why}\n  fix: ${where}; the run starts over`)
  }

  /**
   * A state is taken so early that it lies on the disk before the one there is older than an interval, if the next step takes no more than twice the last one. Where
   * writing takes long, half of the time is still the run's.
   */
  wants(): "go on" | "write" | "leave" {
    const { every } = this.order
    const now = this.clock()
    const step = now - (this.asked ?? now)
    this.asked = now
    if (every === undefined) return "go on"
    if (this.mustLeave()) return "leave"
    const due = Math.max(this.taken + 1000 * every - 2 * step - this.took, this.written + this.took)
    return now >= due ? "write" : "go on"
  }

  /** A state that cannot be written is no reason to end: the run goes on, and the one before is still there. */
  write(kept: Kept): void {
    const { dir, hash } = this.order
    this.left = this.mustLeave()
    this.taken = this.asked ?? this.taken
    this.attempted("no checkpoint was written", () => writeCheckpoint(dir, hash, packed(hash, kept, this.seconds)))
    this.written = this.clock()
    this.took = this.written - this.taken
    this.asked = this.written
  }

  /** Trouble with files, or a state that is larger than an array can be, is said; undefined then. */
  private attempted<T>(what: string, act: () => T): T | undefined {
    const path = checkpointPath(this.order.dir, this.order.hash)
    try {
      return act()
    } catch (error) {
      const trouble =
        error instanceof RangeError
          ? { path, says: error.message, fix: "leave out --checkpoint: the state of this run is too large" }
          : complaintOf(error, path)
      this.say(`${trouble.path}: ${what}: ${trouble.says}\n  fix: ${trouble.fix}`)
      return undefined
    }
  }
}
