// The endpoint part of congestion isolation: an endpoint stores copies of the lines of the input that it feeds, and
// does not send packets to destinations of a stopped line. Its admittance queues keep these packets apart from all
// others.
import { lowest } from "../../../core/bitset.ts"
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { CONTROL, controlValue, countOf, destinationAt, lineOf } from "./control-messages.ts"

export interface AdapterSpec {
  readonly lines: number
  readonly header: number
  readonly answer: boolean
  /** packet records: messages carry destinations in words that the engine does not use for them */
  readonly packets: Int32Array
  /**
   * RECN: returns whether the path from endpoint `from` to d starts with the turns of a message; undefined: messages
   * name destinations
   */
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
  // [endpoint, line] -> 0 unused, 1 in use, 3 in use and stopped; its list of destinations. [endpoint, destination] ->
  // number of stopped lines that list it.
  const state = column(rows * L)
  const list = column(rows * L * W)
  const closed = column(rows * N)

  /** Adds destination d to line i, and closes it if the line is stopped. */
  function addTo(e: number, i: number, d: number): void {
    const at = (e * L + i) * W + (d >> 5)
    if (((list[at] >>> d) & 1) !== 0) return
    list[at] |= 1 << d
    if (state[e * L + i] === 3) closed[e * N + d]++
  }

  /** Adds `by` to the stop counters of all destinations of line i. */
  function count(e: number, i: number, by: number): void {
    for (let w = 0; w < W; w++)
      for (let m = list[(e * L + i) * W + w]; m !== 0; m &= m - 1) closed[e * N + (w << 5) + low(m)] += by
  }

  /** Sets the state of line i, and updates the stop counters if it becomes stopped or no longer is. */
  function set(e: number, i: number, to: number): void {
    const was = state[e * L + i]
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

  /** Handles a message from the switch. A message about a line that is not in use is ignored, except an allocation. */
  function heard(e: number, p: number): void {
    const kind = view.kind(p)
    const value = view.value(p)
    const i = lineOf(value)
    if (kind === CONTROL.allocate || kind === CONTROL.line) set(e, i, 3)
    else if (state[e * L + i] === 0) return
    else if (kind === CONTROL.stop) set(e, i, 3)
    else if (kind === CONTROL.go) set(e, i, 1)
    else if (kind === CONTROL.deallocate) forget(e, i)
    // RECN names the line by turns, which are translated to destinations here; FBICM lists destinations.
    const n = countOf(value)
    if (crosses !== undefined) heardTurns(e, i, p, kind, n)
    else for (let k = 0; k < n; k++) addTo(e, i, destinationAt(packets, p, k))
    if (kind === CONTROL.allocate && ANSWER) tell(e, CONTROL.accept, controlValue(i, 0, 0, 0), HEADER)
  }

  /** RECN: a line of an endpoint has no queue, so it is released as soon as it is not stopped. */
  function heardTurns(e: number, i: number, p: number, kind: number, n: number): void {
    if (kind === CONTROL.go) {
      forget(e, i)
      tell(e, CONTROL.token, controlValue(i, 0, 0, 0), HEADER)
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
          add(outer(e) * 64 + i, state[e * L + i])
          for (let w = 0; w < W; w++) add(outer(e) * 64 + i, list[(e * L + i) * W + w], w)
        }
      }
    },
  }
}
