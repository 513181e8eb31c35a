// Allocators match inputs with outputs. All speak one language: requests are added one by one with a priority, allocate() answers
// with matchOf(input). State (round-robin pointers, diagonals) lives in columns, one row for each router, so that it can be copied.

import { draw, streamOf } from "../../core/rng.ts"
import { type Column, u16, u32 } from "../../fabric/columns.ts"

export interface Allocator {
  clear(): void
  add(input: number, output: number, priority: number): void
  /** the router whose pointers are used; the core step and the router's own number, for random choices */
  allocate(router: number, step: number, who: number): void
  /** output given to this input, -1 if none */
  matchOf(input: number): number
  readonly columns: Readonly<Record<string, Column>>
}

export type AllocatorName = "islip" | "separable-input-first" | "separable-output-first" | "wavefront" | "pim" | "maximum"

/** Who goes first among equals at one arbiter of a separable allocator: the next in turn, or the one served longest ago. */
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
  // A matrix arbiter lets i beat j until i is served, then everybody beats i: the order of last service, kept here as serial numbers.
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

  /** does request q go before request r at the arbiter of their output? a higher priority first */
  function grantsSooner(q: number, r: number, router: number, priorities: boolean): boolean {
    if (priorities && reqPri[q] !== reqPri[r]) return reqPri[q]! > reqPri[r]!
    const at = router * outputs + reqOut[q]!
    return sooner(reqIn[q]!, reqIn[r]!, grant[at]!, inputs, grantServed, at * inputs)
  }
  /** does request q go before request r at the arbiter of their input? */
  function acceptsSooner(q: number, r: number, router: number, priorities: boolean): boolean {
    if (priorities && reqPri[q] !== reqPri[r]) return reqPri[q]! > reqPri[r]!
    const at = router * inputs + reqIn[q]!
    return sooner(reqOut[q]!, reqOut[r]!, accept[at]!, outputs, acceptServed, at * outputs)
  }
  function sooner(a: number, b: number, from: number, span: number, served: Uint32Array, row: number): boolean {
    if (!MATRIX) return (a - from + span) % span < (b - from + span) % span
    const late = served[row + a]! - served[row + b]!
    return late !== 0 ? late < 0 : a < b
  }
  /** Both arbiters have served this request. */
  function moveOn(q: number, router: number): void {
    const i = reqIn[q]!
    const o = reqOut[q]!
    if (MATRIX) {
      grantServed[(router * outputs + o) * inputs + i] = ++serial[router]!
      acceptServed[(router * inputs + i) * outputs + o] = serial[router]!
      return
    }
    grant[router * outputs + o] = (i + 1) % inputs
    accept[router * inputs + i] = (o + 1) % outputs
  }

  /** Grant, then accept; iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued switches", 1999) ignores priorities. */
  function outputFirst(router: number, priorities: boolean): void {
    for (let it = 0; it < iterations; it++) {
      const granted = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const o = reqOut[q]!
        if (match[reqIn[q]!]! >= 0 || taken[o]! >= 0) continue
        const best = granted.get(o)
        if (best === undefined || grantsSooner(q, best, router, priorities)) granted.set(o, q)
      }
      const accepted = new Map<number, number>()
      for (const q of granted.values()) {
        const best = accepted.get(reqIn[q]!)
        if (best === undefined || acceptsSooner(q, best, router, priorities)) accepted.set(reqIn[q]!, q)
      }
      for (const q of accepted.values()) {
        pair(reqIn[q]!, reqOut[q]!)
        if (it === 0) moveOn(q, router)
      }
      if (accepted.size === 0) return
    }
  }

  function inputFirst(router: number): void {
    for (let it = 0; it < iterations; it++) {
      const chosen = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const i = reqIn[q]!
        if (match[i]! >= 0 || taken[reqOut[q]!]! >= 0) continue
        const best = chosen.get(i)
        if (best === undefined || acceptsSooner(q, best, router, true)) chosen.set(i, q)
      }
      const won = new Map<number, number>()
      for (const q of chosen.values()) {
        const best = won.get(reqOut[q]!)
        if (best === undefined || grantsSooner(q, best, router, true)) won.set(reqOut[q]!, q)
      }
      for (const q of won.values()) {
        pair(reqIn[q]!, reqOut[q]!)
        moveOn(q, router)
      }
      if (won.size === 0) return
    }
  }

  /** Diagonals from a start that advances after every allocation with requests; the highest priority class first. */
  function wavefront(router: number): void {
    const order = [...new Set(reqPri.slice(0, n))].sort((a, b) => b - a)
    const first = diagonal[router]!
    for (const priority of order) {
      const by: number[][] = []
      for (let q = 0; q < n; q++) {
        if (reqPri[q] !== priority) continue
        const d = (reqIn[q]! + reqOut[q]! + size - first) % size
        ;(by[d] ??= []).push(q)
      }
      for (let d = 0; d < size; d++) {
        for (const q of by[d] ?? []) if (match[reqIn[q]!]! < 0 && taken[reqOut[q]!]! < 0) pair(reqIn[q]!, reqOut[q]!)
      }
    }
    diagonal[router] = (first + 1) % size
  }

  /** Parallel iterative matching (Anderson et al., "High-speed switch scheduling for local-area networks", 1993): both sides choose at random. */
  function pim(who: number, step: number): void {
    for (let it = 0; it < iterations; it++) {
      const granted = lottery(reqOut, who, step * 2 + 0x10000 * it, (q) => match[reqIn[q]!]! < 0 && taken[reqOut[q]!]! < 0)
      const accepted = lottery(reqIn, who, step * 2 + 1 + 0x10000 * it, (q) => granted.has(reqOut[q]!) && granted.get(reqOut[q]!) === q)
      for (const q of accepted.values()) pair(reqIn[q]!, reqOut[q]!)
      if (accepted.size === 0) return
    }
  }
  function lottery(side: number[], who: number, salt: number, alive: (q: number) => boolean): Map<number, number> {
    const word = streamOf(seed ^ salt, who)
    const best = new Map<number, number>()
    const ticket = new Map<number, number>()
    for (let q = 0; q < n; q++) {
      if (!alive(q)) continue
      const bits = draw(word, reqIn[q]! * outputs + reqOut[q]!) >>> 0
      if (bits >= (ticket.get(side[q]!) ?? -1)) {
        ticket.set(side[q]!, bits)
        best.set(side[q]!, q)
      }
    }
    return best
  }

  /** Largest matching by augmenting paths from a rotating input: the yardstick for all others. */
  function maximum(router: number): void {
    const outs = new Map<number, number[]>()
    for (let q = 0; q < n; q++) (outs.get(reqIn[q]!) ?? outs.set(reqIn[q]!, []).get(reqIn[q]!)!).push(reqOut[q]!)
    const first = diagonal[router]!
    const augment = (i: number, seen: Set<number>): boolean => {
      for (const o of outs.get(i) ?? []) {
        if (seen.has(o)) continue
        seen.add(o)
        if (taken[o]! < 0 || augment(taken[o]!, seen)) {
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
  return { clear, add, allocate, matchOf: (i) => match[i]!, columns: { grant, accept, diagonal, grantServed, acceptServed, serial } }
}
