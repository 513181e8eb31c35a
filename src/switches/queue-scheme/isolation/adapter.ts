// The sender's end of a congestion tree: an endpoint keeps copies of the lines of the input that it feeds, and holds back packets to destinations of a line that
// is stopped. Its admittance queues are what keeps them apart from all others.
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { countOf, destinationAt, lineOf, NOTE, noteValue } from "./notes.ts"

export interface AdapterSpec {
  readonly lines: number
  readonly header: number
  readonly answer: boolean
  /** records of packets: messages carry their destinations in words that the engine has no use for */
  readonly packets: Int32Array
}

export function makeAdapter(site: EndpointSite, { lines: L, header: HEADER, answer: ANSWER, packets }: AdapterSpec): EndpointProtocol {
  const { rows, ends: N, column, packets: view, tell, wake } = site
  const W = (N + 31) >> 5
  // [endpoint, line] -> 1 in use, 3 and stopped; its list. [endpoint, destination] -> stopped lines that list it
  const state = column(rows * L)
  const list = column(rows * L * W)
  const closed = column(rows * N)

  function addTo(e: number, i: number, d: number): void {
    const at = (e * L + i) * W + (d >> 5)
    if (((list[at]! >>> d) & 1) !== 0) return
    list[at]! |= 1 << d
    if (state[e * L + i] === 3) closed[e * N + d]!++
  }

  function count(e: number, i: number, by: number): void {
    for (let w = 0; w < W; w++)
      for (let m = list[(e * L + i) * W + w]!; m !== 0; m &= m - 1) closed[e * N + (w << 5) + 31 - Math.clz32(m & -m)]! += by
  }

  function set(e: number, i: number, to: number): void {
    const was = state[e * L + i]!
    if (was === to) return
    if (to === 3) count(e, i, 1)
    else if (was === 3) {
      count(e, i, -1)
      wake(e)
    }
    state[e * L + i] = to
  }

  function heard(e: number, p: number): void {
    const kind = view.kind(p)
    const value = view.value(p)
    const i = lineOf(value)
    if (kind === NOTE.allocate || kind === NOTE.line) set(e, i, 3)
    else if (state[e * L + i] === 0) return
    else if (kind === NOTE.stop) set(e, i, 3)
    else if (kind === NOTE.go) set(e, i, 1)
    else if (kind === NOTE.deallocate) {
      set(e, i, 0)
      for (let w = 0; w < W; w++) list[(e * L + i) * W + w] = 0
    }
    for (let n = 0; n < countOf(value); n++) addTo(e, i, destinationAt(packets, p, n))
    if (kind === NOTE.allocate && ANSWER) tell(e, NOTE.accept, noteValue(i, 0, 0, 0), HEADER)
  }

  return {
    mayInject: (e, to) => (closed[e * N + to] === 0 ? 0 : UNTIL_WOKEN),
    heard,
    columns: { lines: state, list, closed },
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        for (let i = 0; i < L; i++) {
          if (state[e * L + i] === 0) continue
          add(site.outer(e) * 64 + i, state[e * L + i]!)
          for (let w = 0; w < W; w++) add(site.outer(e) * 64 + i, list[(e * L + i) * W + w]!, w)
        }
      }
    },
  }
}
