// Schedule of packet generation: a timing wheel of lists of sources, one wheel for each partition. A creation time
// beyond the wheel stays in its slot for another lap. A source that creates nothing costs nothing. Both clocked loops
// call `wake` in each cycle.
import { GENERATION_MASK, type sourceColumns } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { SourceModel } from "../../fabric/switch.ts"

export interface Generation {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  /** Schedules source (stream * ends + endpoint) for cycle t. */
  schedule(source: number, t: number): void
  /** Calls `due` for each endpoint and stream whose next packet is created in cycle t. */
  wake(t: number): void
  /** Schedules the first packet of every source of the partition. */
  start(part: number): void
}

export interface GenerationSpec {
  readonly layout: Layout
  readonly constants: { readonly streams: number }
  readonly columns: Pick<ReturnType<typeof sourceColumns>, "creationTime" | "sourceNext"> & {
    readonly generationWheel: Int32Array
  }
  readonly sources: SourceModel
}

export function makeGeneration(spec: GenerationSpec, due: (end: number, stream: number) => void): Generation {
  const { ends: N, outerEnd, firstEnd, parts } = spec.layout
  const { creationTime, sourceNext, generationWheel } = spec.columns
  const { streams: STREAMS } = spec.constants
  const { firstCreation } = spec.sources
  const ONE = parts === 1
  // An imported constant costs a load at each access; a local copy does not.
  const MASK = GENERATION_MASK
  let wheel = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
  }

  function schedule(source: number, t: number): void {
    const s = (ONE ? 0 : wheel) + (t & MASK)
    sourceNext[source] = generationWheel[s]
    generationWheel[s] = source + 1
  }

  function wake(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & MASK)
    let h = generationWheel[s]
    if (h === 0) return
    generationWheel[s] = 0
    while (h !== 0) {
      const source = h - 1
      h = sourceNext[source]
      if (Math.floor(creationTime[source]) === t) due(source % N, (source / N) | 0)
      else schedule(source, t)
    }
  }

  function start(part: number): void {
    enter(part)
    for (let k = 0; k < STREAMS; k++) {
      for (let e = firstEnd[part]; e < firstEnd[part + 1]; e++) {
        if (outerEnd[e] < 0) continue
        const source = k * N + e
        creationTime[source] = firstCreation(k, outerEnd[e])
        if (creationTime[source] < Number.POSITIVE_INFINITY) schedule(source, Math.floor(creationTime[source]))
      }
    }
  }

  return { enter, schedule, wake, start }
}
