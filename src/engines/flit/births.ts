// When sources create their next packet: a wheel of lists of sources, one wheel for each partition. A creation further away than the wheel reaches goes
// round; a source that creates nothing costs nothing.
import { BIRTH_MASK, type sourceColumns } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { SourceModel } from "../../fabric/switch.ts"

export interface Births {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** source (stream * ends + endpoint) is to be looked at in cycle t */
  schedule(source: number, t: number): void
  /** tells of every endpoint one of whose sources has its next creation in cycle t, and of the stream */
  wake(t: number): void
  /** schedules the first creation of every source of the partition */
  start(part: number): void
}

export interface BirthSpec {
  readonly layout: Layout
  readonly constants: { readonly streams: number }
  readonly columns: Pick<ReturnType<typeof sourceColumns>, "birth" | "sourceNext"> & { readonly births: Int32Array }
  readonly sources: SourceModel
}

export function makeBirths(spec: BirthSpec, due: (end: number, stream: number) => void): Births {
  const { ends: N, outerEnd, firstEnd, parts } = spec.layout
  const { birth, sourceNext, births } = spec.columns
  const { streams: STREAMS } = spec.constants
  const { firstBirth } = spec.sources
  const ONE = parts === 1
  // a constant of another module costs a load each time it is read; this does not
  const MASK = BIRTH_MASK
  let wheel = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
  }

  function schedule(source: number, t: number): void {
    const s = (ONE ? 0 : wheel) + (t & MASK)
    sourceNext[source] = births[s]!
    births[s] = source + 1
  }

  function wake(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & MASK)
    let h = births[s]!
    if (h === 0) return
    births[s] = 0
    while (h !== 0) {
      const source = h - 1
      h = sourceNext[source]!
      if (Math.floor(birth[source]!) === t) due(source % N, (source / N) | 0)
      else schedule(source, t)
    }
  }

  function start(part: number): void {
    enter(part)
    for (let k = 0; k < STREAMS; k++) {
      for (let e = firstEnd[part]!; e < firstEnd[part + 1]!; e++) {
        if (outerEnd[e]! < 0) continue
        const source = k * N + e
        birth[source] = firstBirth(k, outerEnd[e]!)
        if (birth[source]! < Number.POSITIVE_INFINITY) schedule(source, Math.floor(birth[source]!))
      }
    }
  }

  return { enter, schedule, wake, start }
}
