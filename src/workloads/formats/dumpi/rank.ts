// One rank of a DUMPI trace: its file, its statistics and its operations.

import type { Flow } from "../../check/traffic.ts"
import type { RankSource } from "../../program.ts"
import { RankWriter } from "../../writer.ts"
import type { Sink } from "../bytes/sink.ts"
import { baseName } from "../trace.ts"
import { callNames } from "./calls.ts"
import { DumpiFile } from "./file.ts"
import { Replay } from "./replay.ts"
import { byName, Stats } from "./stats.ts"
import { named } from "./tail.ts"
import { TypeSizes } from "./types.ts"

/** Operations of a window. Full windows are never copied. */
const WINDOW = 1 << 14

export class DumpiRank implements Sink {
  readonly name: string
  readonly stats: Stats
  readonly replay: Replay
  readonly file: DumpiFile
  readonly #sizes: TypeSizes
  readonly #to = new RankWriter(WINDOW)
  #source: RankSource | undefined
  done = false

  constructor(name: string, digests: boolean, table: readonly number[] | undefined) {
    this.name = name
    this.#sizes = new TypeSizes(table)
    this.stats = new Stats(this.#sizes, digests)
    this.replay = new Replay(this.#to, this.#sizes)
    const { stats, replay } = this
    this.file = new DumpiFile(
      name,
      {
        offsets: (cpu, wall) => stats.offsets(cpu, wall),
        record: (r, bytes) => {
          stats.record(r, bytes)
          replay.record(r)
        },
      },
      digests,
    )
  }
  feed(bytes: Uint8Array): void {
    this.file.feed(bytes)
  }
  end(): void {
    this.file.end()
    this.done = true
  }
  /** The rank, from the file name or from the recorded MPI_Comm_rank. */
  get rank(): number | undefined {
    const digits = /-(\d{1,9})\.bin$/.exec(this.name)?.[1]
    return digits !== undefined ? Number(digits) : this.stats.worldRank
  }
  /** Returns true if the datatype sizes that were used equal those in the tail of the file. */
  get agrees(): boolean {
    return this.file.tail === undefined || this.#sizes.agrees(this.file.tail.datatypeSizes)
  }
  get source(): RankSource {
    return (this.#source ??= this.#to.source())
  }
  /** Returns a call whose count in the footer differs from the number of its records. */
  miscounted(): string | undefined {
    const { tail } = this.file
    if (tail === undefined) return undefined
    const wrong = this.stats.recorded.findIndex((n, fn) => calledOnce(fn) && n !== tail.called[fn] - tail.ignored[fn])
    return wrong < 0
      ? undefined
      : `${this.stats.recorded[wrong]} records of MPI_${callNames[wrong]}, expected ` +
          `${tail.called[wrong] - tail.ignored[wrong]} as the footer counts them`
  }

  summary(flows: readonly Flow[], withTypes: boolean): Record<string, unknown> {
    const { stats, file } = this
    const tail = file.tail
    const table = tail?.datatypeSizes ?? []
    const digests = { file: file.sha256(), records: stats.digest }
    return {
      file: baseName(this.name),
      fileBytes: file.size,
      ...(digests.file === undefined ? {} : { fileSha256: digests.file }),
      ...(tail === undefined
        ? {}
        : {
            version: tail.version,
            hostname: tail.hostname,
            startTime: tail.startTime,
            meshCoord: tail.meshCoord,
            meshSize: tail.meshSize,
            index: tail.index,
          }),
      cpuTimeOffset: stats.cpuTimeOffset,
      wallTimeOffset: stats.wallTimeOffset,
      ...(withTypes && tail !== undefined ? { datatypeSizes: table } : {}),
      records: file.calls,
      ...(digests.records === undefined ? {} : { recordsSha256: digests.records }),
      recorded: sorted(named([...stats.recorded])),
      footerCalled: tail === undefined ? {} : named(tail.called),
      footerIgnored: tail === undefined ? {} : named(tail.ignored),
      sends: byName(stats.sends, (s) => ({
        calls: s.calls,
        bytes: s.bytes,
        bytesBySizeTableOnly: [...s.byType()].reduce((sum, [type, count]) => sum + count * (table[type] ?? 0), 0),
      })),
      receivesPosted: byName(stats.receives, (r) => r),
      receivesAnySource: stats.anySource,
      collectives: byName(stats.collectives, (c) => ({ calls: c.calls, localSendBytes: c.bytes })),
      ...(stats.wallSeconds() === undefined ? {} : { wallSeconds: stats.wallSeconds() }),
      ...(stats.worldSize === undefined ? {} : { worldSize: stats.worldSize }),
      ...(flows.length === 0
        ? {}
        : { sentByWorldRank: Object.fromEntries(flows.map((f) => [f.to, { messages: f.messages, bytes: f.bytes }])) }),
    }
  }
}

/** Returns true for calls that the footer counts individually (all except the sum). */
function calledOnce(fn: number): boolean {
  return callNames[fn] !== "ALL_FUNCTIONS"
}

export function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
}
