// Allocators, which match the inputs of a switch with its outputs so that each has at most one partner. The flit switch
// (input-queued) uses one for VC allocation and one for switch allocation.
//
// All allocators have the same interface. The caller adds the requests of one router with their priorities, calls
// `allocate`, and reads the result with `matchOf`. Their state is stored in columns with one row for each router, so
// that the engine can checkpoint and copy it:
//   `grant`        [router * outputs + o] round-robin pointer of output o over the inputs;
//   `accept`       [router * inputs + i] round-robin pointer of input i over the outputs;
//   `diagonal`     [router] first diagonal of the wavefront, or first input of `maximum`;
//   `grantServed`  [(router * outputs + o) * inputs + i] serial number of the last service (matrix arbiters);
//                  acceptServed likewise;
//   `serial`       [router] last serial number.
// The faster allocator of whole-packet crossbars is in matching.ts.

import { draw, streamOf } from "../../core/rng.ts"
import { type Column, u16, u32 } from "../../fabric/columns.ts"

export interface Allocator {
  clear(): void
  add(input: number, output: number, priority: number): void
  /**
   * Computes a matching of the added requests. `router` is the row of the pointers; `step` (core step) and `who` (the
   * router's number in the network) select the random numbers of `pim`.
   */
  allocate(router: number, step: number, who: number): void
  /** Returns the output that is matched with this input, or -1. */
  matchOf(input: number): number
  readonly columns: Readonly<Record<string, Column>>
}

export type AllocatorName =
  | "islip"
  | "separable-input-first"
  | "separable-output-first"
  | "wavefront"
  | "pim"
  | "maximum"

/**
 * The rule of one arbiter of a separable allocator among requests of equal priority: the next one in round-robin order,
 * or the least recently served one (matrix arbiter).
 */
export type ArbiterName = "round-robin" | "matrix"

export interface AllocatorChoice {
  readonly name: AllocatorName
  readonly iterations: number
}

export function makeAllocator(
  { name, iterations }: AllocatorChoice,
  routers: number,
  inputs: number,
  outputs: number,
  seed: number,
  arbiter: ArbiterName = "round-robin",
): Allocator {
  const reqIn: number[] = []
  const reqOut: number[] = []
  const reqPri: number[] = []
  let n = 0
  const match = new Int32Array(inputs).fill(-1)
  const taken = new Int32Array(outputs).fill(-1)
  const grant = u16(routers * outputs)
  const accept = u16(routers * inputs)
  const diagonal = u16(routers)
  // In a matrix arbiter, i beats j until i is served; then all others beat i. This is the order of last service, so
  // serial numbers of services replace the matrix of bits.
  const MATRIX = arbiter === "matrix"
  const grantServed = u32(MATRIX ? routers * outputs * inputs : 1)
  const acceptServed = u32(MATRIX ? routers * inputs * outputs : 1)
  const serial = u32(MATRIX ? routers : 1)
  const size = Math.max(inputs, outputs)

  function clear(): void {
    n = 0
    match.fill(-1)
    taken.fill(-1)
  }
  function add(input: number, output: number, priority: number): void {
    reqIn[n] = input
    reqOut[n] = output
    reqPri[n] = priority
    n++
  }
  function pair(i: number, o: number): void {
    match[i] = o
    taken[o] = i
  }

  /** Returns whether request q precedes request r at the arbiter of their output. A higher priority comes first. */
  function grantsSooner(q: number, r: number, router: number, priorities: boolean): boolean {
    if (priorities && reqPri[q] !== reqPri[r]) return reqPri[q] > reqPri[r]
    const at = router * outputs + reqOut[q]
    return sooner(reqIn[q], reqIn[r], grant[at], inputs, grantServed, at * inputs)
  }
  /** Returns whether request q precedes request r at the arbiter of their input. A higher priority comes first. */
  function acceptsSooner(q: number, r: number, router: number, priorities: boolean): boolean {
    if (priorities && reqPri[q] !== reqPri[r]) return reqPri[q] > reqPri[r]
    const at = router * inputs + reqIn[q]
    return sooner(reqOut[q], reqOut[r], accept[at], outputs, acceptServed, at * outputs)
  }
  /**
   * Returns whether member a precedes member b of one arbiter: by their distance from the round-robin pointer `from`,
   * or by their last service (matrix; a member that was never served has serial 0).
   */
  function sooner(a: number, b: number, from: number, span: number, served: Uint32Array, row: number): boolean {
    if (!MATRIX) return (a - from + span) % span < (b - from + span) % span
    const late = served[row + a] - served[row + b]
    return late !== 0 ? late < 0 : a < b
  }
  /** Advances the pointers of both arbiters past this request, because both have served it. */
  function moveOn(q: number, router: number): void {
    const i = reqIn[q]
    const o = reqOut[q]
    if (MATRIX) {
      grantServed[(router * outputs + o) * inputs + i] = ++serial[router]
      acceptServed[(router * inputs + i) * outputs + o] = serial[router]
      return
    }
    grant[router * outputs + o] = (i + 1) % inputs
    accept[router * inputs + i] = (o + 1) % outputs
  }

  /**
   * Separable output-first allocation: outputs grant, then inputs accept. iSLIP is the same algorithm without
   * priorities (N. McKeown, "The iSLIP scheduling algorithm for input-queued switches", 1999). Only the first iteration
   * moves the pointers, because this is what prevents starvation in iSLIP.
   */
  function outputFirst(router: number, priorities: boolean): void {
    for (let it = 0; it < iterations; it++) {
      const granted = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const o = reqOut[q]
        if (match[reqIn[q]] >= 0 || taken[o] >= 0) continue
        const best = granted.get(o)
        if (best === undefined || grantsSooner(q, best, router, priorities)) granted.set(o, q)
      }
      const accepted = new Map<number, number>()
      for (const q of granted.values()) {
        const best = accepted.get(reqIn[q])
        if (best === undefined || acceptsSooner(q, best, router, priorities)) accepted.set(reqIn[q], q)
      }
      for (const q of accepted.values()) {
        pair(reqIn[q], reqOut[q])
        if (it === 0) moveOn(q, router)
      }
      if (accepted.size === 0) return
    }
  }

  /**
   * Separable input-first allocation: each input chooses one of its outputs, then each output chooses one of these
   * inputs.
   */
  function inputFirst(router: number): void {
    for (let it = 0; it < iterations; it++) {
      const chosen = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const i = reqIn[q]
        if (match[i] >= 0 || taken[reqOut[q]] >= 0) continue
        const best = chosen.get(i)
        if (best === undefined || acceptsSooner(q, best, router, true)) chosen.set(i, q)
      }
      const won = new Map<number, number>()
      for (const q of chosen.values()) {
        const best = won.get(reqOut[q])
        if (best === undefined || grantsSooner(q, best, router, true)) won.set(reqOut[q], q)
      }
      for (const q of won.values()) {
        pair(reqIn[q], reqOut[q])
        moveOn(q, router)
      }
      if (won.size === 0) return
    }
  }

  /**
   * Wavefront allocation. The requests of one diagonal never conflict, so all of them are granted before the next
   * diagonal. The first diagonal advances after each allocation with requests, for fairness. Higher priorities go
   * first.
   */
  function wavefront(router: number): void {
    const order = [...new Set(reqPri.slice(0, n))].sort((a, b) => b - a)
    const first = diagonal[router]
    for (const priority of order) {
      const by: number[][] = []
      for (let q = 0; q < n; q++) {
        if (reqPri[q] !== priority) continue
        const d = (reqIn[q] + reqOut[q] + size - first) % size
        ;(by[d] ??= []).push(q)
      }
      for (let d = 0; d < size; d++) {
        for (const q of by[d] ?? []) if (match[reqIn[q]] < 0 && taken[reqOut[q]] < 0) pair(reqIn[q], reqOut[q])
      }
    }
    diagonal[router] = (first + 1) % size
  }

  /**
   * Parallel iterative matching (Anderson et al., "High-speed switch scheduling for local-area networks", 1993): both
   * sides choose at random. The random numbers depend only on seed, router, step and iteration, so all workers draw the
   * same.
   */
  function pim(who: number, step: number): void {
    for (let it = 0; it < iterations; it++) {
      const granted = lottery(reqOut, who, step * 2 + 0x10000 * it, (q) => match[reqIn[q]] < 0 && taken[reqOut[q]] < 0)
      const accepted = lottery(
        reqIn,
        who,
        step * 2 + 1 + 0x10000 * it,
        (q) => granted.has(reqOut[q]) && granted.get(reqOut[q]) === q,
      )
      for (const q of accepted.values()) pair(reqIn[q], reqOut[q])
      if (accepted.size === 0) return
    }
  }
  /** Draws one request for each port of a side: the live request with the largest random number wins. */
  function lottery(side: number[], who: number, salt: number, alive: (q: number) => boolean): Map<number, number> {
    const word = streamOf(seed ^ salt, who)
    const best = new Map<number, number>()
    const ticket = new Map<number, number>()
    for (let q = 0; q < n; q++) {
      if (!alive(q)) continue
      const bits = draw(word, reqIn[q] * outputs + reqOut[q]) >>> 0
      if (bits >= (ticket.get(side[q]) ?? -1)) {
        ticket.set(side[q], bits)
        best.set(side[q], q)
      }
    }
    return best
  }

  /**
   * Maximum matching by augmenting paths. It starts from a rotating input, and is the upper bound for all other
   * allocators.
   */
  function maximum(router: number): void {
    const outs = new Map<number, number[]>()
    for (let q = 0; q < n; q++) (outs.get(reqIn[q]) ?? outs.set(reqIn[q], []).get(reqIn[q])!).push(reqOut[q])
    const first = diagonal[router]
    const augment = (i: number, seen: Set<number>): boolean => {
      for (const o of outs.get(i) ?? []) {
        if (seen.has(o)) continue
        seen.add(o)
        if (taken[o] < 0 || augment(taken[o], seen)) {
          pair(i, o)
          return true
        }
      }
      return false
    }
    for (let k = 0; k < inputs; k++) {
      const i = (first + k) % inputs
      if (outs.has(i)) augment(i, new Set())
    }
    diagonal[router] = (first + 1) % inputs
  }

  function allocate(router: number, step: number, who: number): void {
    if (n === 0) return
    if (name === "islip") outputFirst(router, false)
    else if (name === "separable-output-first") outputFirst(router, true)
    else if (name === "separable-input-first") inputFirst(router)
    else if (name === "wavefront") wavefront(router)
    else if (name === "pim") pim(who, step)
    else maximum(router)
  }
  return {
    clear,
    add,
    allocate,
    matchOf: (i) => match[i],
    columns: { grant, accept, diagonal, grantServed, acceptServed, serial },
  }
}
