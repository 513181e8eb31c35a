// Allocators match inputs with outputs. All speak one language: requests are added one by one with a priority, allocate() answers
// with matchOf(input). State (round-robin pointers, diagonals) lives in columns, one row for each router, so that it can be copied.

import { draw } from "../../core/rng.ts"
import { type Column, u16 } from "../../fabric/columns.ts"

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

export interface AllocatorChoice {
  readonly name: AllocatorName
  readonly iterations: number
}

export function makeAllocator(
  name: AllocatorName,
  iterations: number,
  routers: number,
  inputs: number,
  outputs: number,
  seed: number,
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

  /** a before b in a round robin over `span` that starts at `from`; a higher priority first */
  function sooner(a: number, pa: number, b: number, pb: number, from: number, span: number): boolean {
    if (pa !== pb) return pa > pb
    return (a - from + span) % span < (b - from + span) % span
  }

  /** Grant, then accept; iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued switches", 1999) ignores priorities. */
  function outputFirst(router: number, priorities: boolean): void {
    for (let it = 0; it < iterations; it++) {
      const granted = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const i = reqIn[q]!
        const o = reqOut[q]!
        if (match[i]! >= 0 || taken[o]! >= 0) continue
        const best = granted.get(o)
        if (
          best === undefined ||
          sooner(i, priorities ? reqPri[q]! : 0, reqIn[best]!, priorities ? reqPri[best]! : 0, grant[router * outputs + o]!, inputs)
        )
          granted.set(o, q)
      }
      const accepted = new Map<number, number>()
      for (const q of granted.values()) {
        const i = reqIn[q]!
        const best = accepted.get(i)
        if (
          best === undefined ||
          sooner(
            reqOut[q]!,
            priorities ? reqPri[q]! : 0,
            reqOut[best]!,
            priorities ? reqPri[best]! : 0,
            accept[router * inputs + i]!,
            outputs,
          )
        )
          accepted.set(i, q)
      }
      for (const q of accepted.values()) {
        pair(reqIn[q]!, reqOut[q]!)
        if (it > 0) continue
        grant[router * outputs + reqOut[q]!] = (reqIn[q]! + 1) % inputs
        accept[router * inputs + reqIn[q]!] = (reqOut[q]! + 1) % outputs
      }
      if (accepted.size === 0) return
    }
  }

  function inputFirst(router: number): void {
    for (let it = 0; it < iterations; it++) {
      const chosen = new Map<number, number>()
      for (let q = 0; q < n; q++) {
        const i = reqIn[q]!
        const o = reqOut[q]!
        if (match[i]! >= 0 || taken[o]! >= 0) continue
        const best = chosen.get(i)
        if (best === undefined || sooner(o, reqPri[q]!, reqOut[best]!, reqPri[best]!, accept[router * inputs + i]!, outputs))
          chosen.set(i, q)
      }
      const won = new Map<number, number>()
      for (const q of chosen.values()) {
        const best = won.get(reqOut[q]!)
        if (best === undefined || sooner(reqIn[q]!, reqPri[q]!, reqIn[best]!, reqPri[best]!, grant[router * outputs + reqOut[q]!]!, inputs))
          won.set(reqOut[q]!, q)
      }
      for (const q of won.values()) {
        pair(reqIn[q]!, reqOut[q]!)
        grant[router * outputs + reqOut[q]!] = (reqIn[q]! + 1) % inputs
        accept[router * inputs + reqIn[q]!] = (reqOut[q]! + 1) % outputs
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
    const best = new Map<number, number>()
    const ticket = new Map<number, number>()
    for (let q = 0; q < n; q++) {
      if (!alive(q)) continue
      const bits = draw(seed ^ salt, who, reqIn[q]! * outputs + reqOut[q]!) >>> 0
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
  return { clear, add, allocate, matchOf: (i) => match[i]!, columns: { grant, accept, diagonal } }
}
