// The sender's end of a congestion tree: an endpoint keeps copies of the lines of the input that it feeds, and holds back packets to destinations of a line that
// is stopped. Its admittance queues are what keeps them apart from all others.
import { lowest } from "../../../core/bitset.ts"
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { countOf, destinationAt, lineOf, NOTE, noteValue } from "./notes.ts"

export interface AdapterSpec {
  readonly lines: number
  readonly header: number
  readonly answer: boolean
  /** records of packets: messages carry their destinations in words that the engine has no use for */
  readonly packets: Int32Array
  /** RECN: destinations of endpoint `from` (network's number) whose way begins with the turns of a message; absent: messages name destinations */
  readonly crosses?: (from: number, d: number, turns: ArrayLike<number>, n: number) => boolean
}

export function makeAdapter(
  site: EndpointSite,
  { lines: L, header: HEADER, answer: ANSWER, packets, crosses }: AdapterSpec,
): EndpointProtocol {
  const low = lowest
  const { rows, ends: N, column, packets: view, tell, wake, outer } = site
  const W = (N + 31) >> 5
  const turns = new Uint8Array(32)
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
    for (let w = 0; w < W; w++) for (let m = list[(e * L + i) * W + w]!; m !== 0; m &= m - 1) closed[e * N + (w << 5) + low(m)]! += by
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

  function forget(e: number, i: number): void {
    set(e, i, 0)
    for (let w = 0; w < W; w++) list[(e * L + i) * W + w] = 0
  }

  function heard(e: number, p: number): void {
    const kind = view.kind(p)
    const value = view.value(p)
    const i = lineOf(value)
    if (kind === NOTE.allocate || kind === NOTE.line) set(e, i, 3)
    else if (state[e * L + i] === 0) return
    else if (kind === NOTE.stop) set(e, i, 3)
    else if (kind === NOTE.go) set(e, i, 1)
    else if (kind === NOTE.deallocate) forget(e, i)
    const n = countOf(value)
    if (crosses !== undefined) heardTurns(e, i, p, kind, n)
    else for (let k = 0; k < n; k++) addTo(e, i, destinationAt(packets, p, k))
    if (kind === NOTE.allocate && ANSWER) tell(e, NOTE.accept, noteValue(i, 0, 0, 0), HEADER)
  }

  /** A line of an endpoint has no queue: it is given back as soon as nothing stops it. */
  function heardTurns(e: number, i: number, p: number, kind: number, n: number): void {
    if (kind === NOTE.go) {
      forget(e, i)
      tell(e, NOTE.token, noteValue(i, 0, 0, 0), HEADER)
      return
    }
    if (n === 0) return
    for (let k = 0; k < n; k++) turns[k] = destinationAt(packets, p, k)
    for (let d = 0; d < N; d++) if (crosses!(outer(e), d, turns, n)) addTo(e, i, d)
  }

  return {
    mayInject: (e, to) => (closed[e * N + to] === 0 ? 0 : UNTIL_WOKEN),
    heard,
    columns: { lines: state, list, closed },
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (outer(e) < 0) continue
        for (let i = 0; i < L; i++) {
          if (state[e * L + i] === 0) continue
          add(outer(e) * 64 + i, state[e * L + i]!)
          for (let w = 0; w < W; w++) add(outer(e) * 64 + i, list[(e * L + i) * W + w]!, w)
        }
      }
    },
  }
}
