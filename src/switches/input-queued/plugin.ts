// The plug-in `input-queued`: parameters and checks of the input-queued virtual-channel router. It is the router of
// BookSim2 (N. Jiang and others, "A detailed and flexible cycle-accurate network-on-chip simulator", 2013), with the
// same timing at zero load.
import { bitsFor } from "../../core/bitset.ts"
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, cycles, flag, flits, int, maybe, real, schema } from "../../core/schema.ts"
import { slotsOf } from "../../fabric/layout.ts"
import type { FlitSwitchModel } from "../../fabric/switch.ts"
import type { BehaviourVariant } from "../../model/behaviour.ts"
import type { Graph } from "../../model/graph.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import type { AllocatorName } from "../parts/allocator.ts"
import { allocatorNames, allocators } from "./allocator-field.ts"
import { cycleOf, endOfBatch } from "./batches.ts"
import { makeInputQueued } from "./flit.ts"
import type { IqOptions } from "./options.ts"

const params = schema({
  vcs: int({ about: "Number of virtual channels of each port, all classes together", min: 1, max: 31, default: 4 }),
  buffer: flits({ about: "Buffer of one VC, in flits", min: 1, max: 65535, default: "8flits" }),
  sharing: choice(["private", "damq"], {
    about: "Buffer organisation: a separate buffer for each VC, or one for the port with a reserve for each VC (DAMQ)",
    default: "private",
  }),
  total: maybe(
    flits({ about: "Buffer of the whole port in flits, for sharing: damq (default: vcs x buffer)", min: 1 }),
  ),
  reserve: flits({ about: "Flits reserved for each VC, for sharing: damq", min: 1, default: "1flit" }),
  route: int({ about: "Number of core steps for routing; 0 = look-ahead routing", min: 0, max: 32, default: 1 }),
  vc: int({ about: "Number of core steps for VC allocation", min: 1, max: 32, default: 1 }),
  switch: int({ about: "Number of core steps for switch allocation", min: 1, max: 32, default: 1 }),
  traverse: int({ about: "Number of core steps for the crossbar", min: 1, max: 64, default: 1 }),
  stages: choice(["pipelined", "batches"], {
    about:
      "Pipelining of routing and crossbar: one flit enters in each step, or, as in BookSim2, delays " +
      "count cycles and a batch waits until the previous one has finished",
    default: "pipelined",
  }),
  speculative: flag({ about: "Request the switch speculatively while still waiting for a VC", default: false }),
  speed: real({ about: "Internal speedup: core steps per link cycle", min: 1, max: 8, default: 1 }),
  inputSpeedup: int({
    about: "Number of crossbar inputs of each port; VC v uses input v mod this number",
    min: 1,
    max: 8,
    default: 1,
  }),
  outputSpeedup: int({
    about: "Number of crossbar outputs of each port; input i uses output i mod this number",
    min: 1,
    max: 8,
    default: 1,
  }),
  flow: choice(["wormhole", "cut-through"], {
    about: "Flow control: a head needs credits for one flit (wormhole), or for its whole packet (cut-through)",
    default: "wormhole",
  }),
  hold: flag({ about: "Keep the crossbar connection of a packet while its flits follow each other", default: false }),
  transfer: choice(["packets", "flits"], {
    about:
      "With cut-through and hold: move packets of one size as a whole, or flit by flit; the result is " +
      "the same and the first is faster",
    default: "packets",
  }),
  tailCredit: flag({
    about:
      "Reuse an output VC only after all its credits have returned. Routings with escape VCs need it for wormhole packets, or cut-through with busyWhenFull",
    default: false,
  }),
  busyWhenFull: flag({
    about: "Allocate an output VC only while it has a credit, under cut-through credits for the whole packet",
    default: false,
  }),
  creditDelay: cycles({ about: "Additional delay of a credit between routers", max: 1024, default: "0cycles" }),
  retention: flits({
    about:
      "Output buffer in flits, in which a flit stays for one round trip of its link (link-level " +
      "retransmission); 0 = none",
    min: 0,
    max: 1_000_000,
    default: "0flits",
  }),
  vcAllocator: allocators({ about: "Allocator of output VCs", default: "islip" }),
  swAllocator: allocators({ about: "Allocator of the crossbar", default: "islip" }),
  arbiter: choice(["round-robin", "matrix"], {
    about: "Arbiters inside separable allocators: round-robin, or least recently served",
    default: "round-robin",
  }),
  priority: choice(["none", "class", "age"], {
    about:
      "Priority in arbitration: none, by stream, or by age; iSLIP, PIM and maximum use it only among " +
      "VCs of one input that request the same output",
    default: "none",
  }),
})

type Params = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/**
 * Returns whether packets can cross as single events (packet-granular.ts): a connection lasts exactly as long as its
 * packet, and nothing depends on single flits.
 */
function holdsAll(p: Params): boolean {
  const plainly = (name: string, iterations: number) =>
    iterations === 1 && (name === "islip" || name.startsWith("separable"))
  return (
    p.hold &&
    p.flow === "cut-through" &&
    p.sharing === "private" &&
    p.speed === 1 &&
    p.inputSpeedup * p.outputSpeedup === 1 &&
    p.retention === 0 &&
    // Batches of one step are equivalent to a pipeline.
    (p.stages === "pipelined" || (p.route <= 1 && p.traverse <= 1)) &&
    !p.speculative &&
    !p.tailCredit &&
    !p.busyWhenFull &&
    p.priority === "none" &&
    p.arbiter === "round-robin" &&
    plainly(p.swAllocator.name, p.swAllocator.iterations)
  )
}

/** Maximum number of VCs over all ports of one router, because the arbiter pointers have 16 bits. */
const MOST_SLOTS = 65_536

/** Checks the number of VCs of the largest router. */
function tooManyPorts({ vcs }: Params, graph: Graph): Complaint[] {
  if (slotsOf(graph, vcs) <= MOST_SLOTS) return []
  const each = 2 ** bitsFor(vcs)
  const ports = Math.floor(MOST_SLOTS / each)
  const says =
    `a router of this network has too many ports for ${vcs} VCs each: at ` +
    `most ${ports.toLocaleString("en")} can be served`
  return [complain("vcs", says, "choose fewer VCs, or a topology whose routers have fewer ports")]
}

/** Returns the cycles of a head flit without contention, from its arrival to its departure. */
function pipelineOf(p: Params): number {
  const { route, traverse, speed } = p
  const allocation = (p.speculative ? 0 : p.vc) + p.switch
  if (p.stages === "pipelined") return Math.floor((route + allocation + traverse - 1) / speed) + 1
  const routed = route === 0 ? -1 : endOfBatch(0, route, speed)
  return cycleOf(endOfBatch(routed + 1 + allocation, traverse, speed), speed) + 1
}

/** The guarantees of allocators that differ from the others, for the behaviour tests. */
const promises: Readonly<Record<AllocatorName, Omit<BehaviourVariant, "with">>> = {
  islip: { uniform: 0.65 },
  "separable-input-first": { uniform: 0.65 },
  "separable-output-first": { uniform: 0.65 },
  wavefront: {
    uniform: 0.75,
    fair: false,
    because: "its priority goes round all inputs: the one behind an idle input gets the turns of both",
  },
  pim: { fair: false, bounded: false, because: "it draws: shares are equal on average only" },
  maximum: {
    uniform: 0.8,
    fair: false,
    because: "it looks for most pairs, from an input that goes round all of them, idle ones included",
  },
}

const others = allocatorNames.map((name) => ({
  with: () => ({ vcAllocator: name, swAllocator: name }),
  ...promises[name],
}))

export default {
  kind: "switch",
  name: "input-queued",
  moves: "flits",
  revision: 2,
  about: "Virtual-channel router with input buffers: routing, VC allocation, switch allocation and crossbar.",
  cites: "A detailed and flexible cycle-accurate network-on-chip simulator, N. Jiang and others, 2013",
  limits: "at most 31 VCs for each port, and 65,536 VCs for all ports of a router",
  can: [
    "classes",
    "priorities",
    "replies",
    "drawnVcs",
    "streamVcs",
    "bubbles",
    "escapes",
    "farQueues",
    "occupancy",
    "events",
  ],
  conditions: {
    // Duato's condition: a head that is assigned to a VC with other packets waits for that VC only. The first
    // combination allows several packets in a VC and thus keeps most of the throughput; the second one is for wormhole
    // switching.
    escapes: {
      anyOf: [{ flow: "cut-through", busyWhenFull: true, sharing: "private" }, { tailCredit: true }],
      otherwise: "the switch may assign a packet to a VC that still holds other packets and has no space for it",
    },
    bubbles: {
      anyOf: [{ flow: "cut-through", sharing: "private" }],
      otherwise: "a packet may enter a ring of channels before the next buffer has space for all of it",
    },
  },
  values: {},
  drawing: [
    ["store", "input VCs", "vcs x buffer", "or one DAMQ"],
    ["choose", "route", "1 step, 0 =", "look-ahead"],
    ["choose", "VC allocation", "an output VC", "for the packet"],
    ["choose", "switch alloc.", "input, output,", "for each flit"],
    ["move", "crossbar", "1 step", "(traverse)"],
    ["move", "link", "a flit a cycle,", "credits back"],
  ],
  behaviour: {
    stand: (flits, one) => ({ vcs: one ? 1 : 4, buffer: `${flits}flits` }),
    // The VCs of one input request VCs of the output independently.
    requests: 4,
    variants: [
      { uniform: 0.65 },
      ...others,
      {
        with: () => ({ vcAllocator: "separable-input-first", swAllocator: "separable-input-first", arbiter: "matrix" }),
        uniform: 0.65,
      },
      {
        with: () => ({ vcs: 1 }),
        ...{ shared: 0.79, permutation: 0.66, uniform: 0.45 },
        because:
          "with one VC a packet of F flits takes an output for F + 1 steps and an input " +
          "for F + 2: VC allocation and routing wait for the tail",
      },
    ],
  },
  params,
  check(p: Params, on?: { readonly topology?: Topology }): Complaint[] {
    const bad: Complaint[] = []
    if (on?.topology !== undefined) bad.push(...tooManyPorts(p, on.topology.graph))
    const total = p.total ?? p.vcs * p.buffer
    if (p.sharing === "private" && p.total !== undefined)
      bad.push(
        complain(
          "total",
          "total does not apply to private buffers, which have a size for each VC",
          "set buffer, or sharing: damq",
        ),
      )
    if (p.sharing === "damq" && p.vcs * p.reserve > total)
      bad.push(
        complain(
          "reserve",
          `${p.vcs} VCs x ${p.reserve} flits is more than the ${total} of the port`,
          `set reserve to at most ${Math.floor(total / p.vcs)}flits`,
        ),
      )
    const separable = (name: string) => name.startsWith("separable")
    if (p.arbiter === "matrix" && !(separable(p.vcAllocator.name) && separable(p.swAllocator.name)))
      bad.push(
        complain(
          "arbiter",
          "only separable allocators have arbiters to choose",
          "set vcAllocator and swAllocator to separable-input-first",
        ),
      )
    if (p.stages === "batches" && (p.vc > 1 || p.switch > 1))
      bad.push(
        complain(
          "stages",
          "batches apply to routing and crossbar only; allocations of several steps are pipelined",
          "set vc: 1 and switch: 1, or stages: pipelined",
        ),
      )
    if (p.speculative && p.route > 0 && p.vc > 1)
      bad.push(complain("speculative", "speculation needs a VC allocation of one step", "set vc: 1"))
    return bad
  },
  make(p: Params): FlitSwitchModel {
    const options: IqOptions = {
      routeDelay: p.route,
      vcDelay: p.vc,
      crossDelay: p.traverse,
      speed: p.speed,
      batches: p.stages === "batches",
      speculative: p.speculative,
      hold: p.hold,
      cutThrough: p.flow === "cut-through",
      tailWait: p.tailCredit,
      busyWhenFull: p.busyWhenFull,
      inputSpeedup: p.inputSpeedup,
      outputSpeedup: p.outputSpeedup,
      priority: p.priority,
      vcAllocator: p.vcAllocator,
      swAllocator: p.swAllocator,
      arbiter: p.arbiter,
      retention: p.retention,
    }
    // In a DAMQ, one VC can hold all of the buffer except the reserves of the other VCs.
    const total = p.sharing === "damq" ? (p.total ?? p.vcs * p.buffer) : p.vcs * p.buffer
    const depth = p.sharing === "damq" ? total - (p.vcs - 1) * p.reserve : p.buffer
    return {
      moves: "flits",
      vcs: p.vcs,
      buffer: { depth, reserve: p.sharing === "damq" ? p.reserve : depth, total },
      timing: {
        speed: p.speed,
        traverse: p.traverse + p.switch - 1,
        creditDelay: p.creditDelay,
        lanes: Math.max(p.inputSpeedup, p.outputSpeedup),
        cutThrough: options.cutThrough,
        tailWait: p.tailCredit,
        wholeSpace: p.flow === "cut-through" && p.busyWhenFull && p.sharing === "private",
        retention: p.retention,
        held: p.transfer === "packets" && holdsAll(p),
        pipeline: pipelineOf(p),
        // A batch may have just started.
        batch: p.stages === "batches" && p.traverse > 1 ? 2 * p.traverse + 1 : 0,
      },
      build: (site, use) => (links) => makeInputQueued({ ...site, ...use, ...options }, links),
    }
  },
} satisfies SwitchPlugin<Params, FlitSwitchModel, { readonly topology?: Topology } | undefined>
