// Shared buffers of ports, counted in flits: dynamically allocated multi-queue buffers, DAMQ (Y. Tamir and G. L.
// Frazier, "High-performance multi-queue buffers for VLSI communication switches", 1988). Each VC has a reserve, and a
// cap limits its share of the common part. Whole packets enter and leave. Switches that move packets, and endpoints,
// use the rules.
//
// Fairness: a blocked VC keeps its flits and also competes for every space that other VCs free. In the end it would
// hold all shared space, and the others would be limited to their reserve per round trip. VCs below their fair part
// therefore have priority (`modest`). A VC without competitors may still use everything.
//
// One set of columns holds three kinds of buffers, so that the rules are one closure, whose addresses V8 embeds in the
// machine code:
//   [0, NOV)            the input downstream of output VC `ov`, as its sender counts it (credits)
//   [NOV, OUT)          the same for injection VCs of endpoints
//   [OUT, OUT + NOV)    output buffers
// slot >> LV is the port in all three.
import { lowest } from "../core/bitset.ts"
import { type Column, i32, scratchOf, u16 } from "./columns.ts"
import { type Layout, portsOf } from "./layout.ts"

/**
 * Buffer of one port: flits in total, reserve of each VC of the mask, and maximum share of one VC in the common part.
 */
export interface SharedBufferSpec {
  readonly flits: number
  readonly reserve: number
  readonly reservedVcs: number
  readonly cap: number
  /** flits from which on a VC yields to VCs that hold less; 0: all are equal */
  readonly part: number
}

export interface SharedBuffers {
  readonly OUT: number
  /** [slot] -> flits held, flits reserved */
  readonly held: Uint16Array
  readonly reserve: Uint16Array
  /** [slot >> LV] -> shared flits left; maximum share of one VC; shared flits in total */
  readonly left: Int32Array
  readonly cap: Int32Array
  readonly shared: Int32Array
  /** [slot >> LV] -> fair part of a VC */
  readonly part: Int32Array
  readonly columns: Readonly<Record<string, Column>>
}

export function makeSharedBuffers(
  l: Layout,
  input: (port: number) => SharedBufferSpec,
  injection: (end: number) => SharedBufferSpec,
  output: (port: number) => SharedBufferSpec,
): SharedBuffers {
  const OUT = l.NOV + (l.ends << l.LV)
  const slots = OUT + l.NOV
  const held = u16(slots)
  const reserve = u16(slots)
  const left = i32(slots >> l.LV)
  const cap = i32(slots >> l.LV)
  const shared = i32(slots >> l.LV)
  const part = i32(slots >> l.LV)
  const set = (port: number, spec: SharedBufferSpec) => {
    let kept = 0
    for (let v = 0; v < 1 << l.LV; v++) {
      if (((spec.reservedVcs >> v) & 1) === 0) continue
      reserve[(port << l.LV) + v] = spec.reserve
      kept += spec.reserve
    }
    shared[port] = spec.flits - kept
    left[port] = spec.flits - kept
    cap[port] = spec.cap
    part[port] = spec.part
  }
  const ports = l.routers * l.PS
  for (let port = 0; port < ports; port++) {
    const router = l.outerRouter[Math.floor(port / l.PS)]
    if (router < 0 || port % l.PS >= portsOf(l.graph, router)) continue
    set(port, input(port))
    set((OUT >> l.LV) + port, output(port))
  }
  for (let e = 0; e < l.ends; e++) if (l.outerEnd[e] >= 0) set(ports + e, injection(e))
  return { OUT, held, reserve, left, cap, shared, part, columns: { held, left } }
}

export interface SharedBufferRules {
  /** Returns true if a packet of f flits fits now. */
  fits(slot: number, f: number): boolean
  take(slot: number, f: number): void
  give(slot: number, f: number): void
  /** Returns the VCs of the mask that hold less than their part; all of them if none does. */
  modest(port: number, waiting: number): number
}

/**
 * Groups ports with equal buffers. Reserve, cap and part are stored per group, so the rules touch two words of each
 * port (`held`, `left`) and small tables that stay in the cache.
 */
function kindsOf({ reserve, cap, part }: Pick<SharedBuffers, "reserve" | "cap" | "part">, LV: number) {
  const seen = new Map<string, number>()
  const kept: number[] = []
  const caps: number[] = []
  const parts: number[] = []
  const kind = new Uint16Array(Math.max(cap.length, 64))
  for (let port = 0; port < cap.length; port++) {
    const vcs = reserve.subarray(port << LV, (port + 1) << LV)
    const name = `${vcs.join()};${cap[port]};${part[port]}`
    let k = seen.get(name)
    if (k === undefined) {
      k = seen.size
      seen.set(name, k)
      kept.push(...vcs)
      caps.push(cap[port])
      parts.push(part[port])
    }
    kind[port] = k
  }
  return { kind, kept: scratchOf(kept), caps: scratchOf(caps), parts: scratchOf(parts) }
}

export function sharedBufferRules(sharedBuffers: SharedBuffers, LV: number): SharedBufferRules {
  const low = lowest
  const { held, left } = sharedBuffers
  const { kind, kept, caps, parts } = kindsOf(sharedBuffers, LV)
  const VMASK = (1 << LV) - 1
  // `over`: flits beyond the reserve. Only these, and at most f, come from the shared part.
  function fits(slot: number, f: number): boolean {
    const port = slot >> LV
    const k = kind[port]
    const over = held[slot] + f - kept[(k << LV) + (slot & VMASK)]
    if (over <= 0) return true
    return over <= caps[k] && (over < f ? over : f) <= left[port]
  }
  function take(slot: number, f: number): void {
    const port = slot >> LV
    const after = held[slot] + f
    held[slot] = after
    const over = after - kept[(kind[port] << LV) + (slot & VMASK)]
    if (over > 0) left[port] -= over < f ? over : f
  }
  function give(slot: number, f: number): void {
    const port = slot >> LV
    const before = held[slot]
    held[slot] = before - f
    const over = before - kept[(kind[port] << LV) + (slot & VMASK)]
    if (over > 0) left[port] += over < f ? over : f
  }
  function modest(port: number, waiting: number): number {
    const most = parts[kind[port]]
    let few = 0
    for (let m = waiting; m !== 0; m &= m - 1) {
      const v = low(m)
      if (held[(port << LV) + v] < most) few |= 1 << v
    }
    return few === 0 ? waiting : few
  }
  return { fits, take, give, modest }
}
