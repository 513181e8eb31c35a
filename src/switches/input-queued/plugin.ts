// Parameters of the input-queued router: the class of BookSim2 (N. Jiang and others, "A detailed and flexible cycle-accurate network-on-chip
// simulator", 2013), with the same timing at zero load.
import { bitsFor } from "../../core/bitset.ts"
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, cycles, flag, flits, int, maybe, real, schema } from "../../core/schema.ts"
import { slotsOf } from "../../fabric/layout.ts"
import type { FlitSwitchModel } from "../../fabric/switch.ts"
import type { BehaviourVariant } from "../../model/behaviour.ts"
import type { Graph } from "../../model/graph.ts"
import type { Plugin } from "../../model/plugin.ts"
import type { Topology } from "../../model/topology.ts"
import type { AllocatorName } from "../parts/allocator.ts"
import { allocatorNames, allocators } from "../parts/allocator-field.ts"
import { cycleOf, endOfBatch } from "./batches.ts"
import { makeInputQueued } from "./flit.ts"
import type { IqOptions } from "./state.ts"

const params = schema({
  vcs: int({ about: "virtual channels of each port, all classes together", min: 1, max: 31, default: 4 }),
  buffer: flits({ about: "flits that one VC can hold", min: 1, max: 65535, default: "8flits" }),
  sharing: choice(["private", "damq"], {
    about: "a buffer for each VC, or one for the port with a reserve for each VC",
    default: "private",
  }),
  total: maybe(flits({ about: "damq: flits of the whole port; default vcs x buffer", min: 1 })),
  reserve: flits({ about: "damq: flits kept for each VC alone", min: 1, default: "1flit" }),
  route: int({ about: "core steps for routing; 0 = look-ahead", min: 0, max: 32, default: 1 }),
  vc: int({ about: "core steps for VC allocation", min: 1, max: 32, default: 1 }),
  switch: int({ about: "core steps for switch allocation", min: 1, max: 32, default: 1 }),
  traverse: int({ about: "core steps for the crossbar", min: 1, max: 64, default: 1 }),
  stages: choice(["pipelined", "batches"], {
    about:
      "routing and crossbar of more than one step take something new in every step, or as in BookSim2: delays count cycles, and what waits enters together once the batch before is done",
    default: "pipelined",
  }),
  speculative: flag({ about: "bid for the switch while still waiting for a VC", default: false }),
  speed: real({ about: "core steps for each link cycle", min: 1, max: 8, default: 1 }),
  inputSpeedup: int({ about: "crossbar inputs of each port; VC v uses number v mod this", min: 1, max: 8, default: 1 }),
  outputSpeedup: int({ about: "crossbar outputs of each port; input i uses number i mod this", min: 1, max: 8, default: 1 }),
  flow: choice(["wormhole", "cut-through"], { about: "a head needs room for one flit, or for its whole packet", default: "wormhole" }),
  hold: flag({ about: "a packet keeps its crossbar connection while its flits follow each other", default: false }),
  transfer: choice(["packets", "flits"], {
    about: "with cut-through and hold: packets of one size in one piece, or flit by flit; the same result, the first is faster",
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
  creditDelay: cycles({ about: "added to the way of a credit between routers", max: 1024, default: "0cycles" }),
  retention: flits({
    about: "flits of each output's buffer, where a flit stays for one round trip of its link (link-level retransmission); 0 = none",
    min: 0,
    max: 1_000_000,
    default: "0flits",
  }),
  vcAllocator: allocators({ about: "allocator of output VCs", default: "islip" }),
  swAllocator: allocators({ about: "allocator of the crossbar", default: "islip" }),
  arbiter: choice(["round-robin", "matrix"], {
    about: "inside separable allocators: the next in turn, or the one served longest ago",
    default: "round-robin",
  }),
  priority: choice(["none", "class", "age"], {
    about:
      "who goes first: nobody, the more urgent stream, the older packet; iSLIP, PIM and maximum heed it only among the VCs of one input that ask for the same output",
    default: "none",
  }),
})

type Params = typeof params extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never

/** A connection that is made lasts exactly as long as its packet, and nothing else depends on single flits. */
function holdsAll(p: Params): boolean {
  const plainly = (name: string, iterations: number) => iterations === 1 && (name === "islip" || name.startsWith("separable"))
  return (
    p.hold &&
    p.flow === "cut-through" &&
    p.sharing === "private" &&
    p.speed === 1 &&
    p.inputSpeedup * p.outputSpeedup === 1 &&
    p.retention === 0 &&
    // batches of one step are a pipeline
    (p.stages === "pipelined" || (p.route <= 1 && p.traverse <= 1)) &&
    !p.speculative &&
    !p.tailCredit &&
    !p.busyWhenFull &&
    p.priority === "none" &&
    p.arbiter === "round-robin" &&
    plainly(p.swAllocator.name, p.swAllocator.iterations)
  )
}

/** VCs of all ports of one router: the pointers of its arbiters have 16 bits. */
const MOST_SLOTS = 65_536

function tooManyPorts({ vcs }: Params, graph: Graph): Complaint[] {
  if (slotsOf(graph, vcs) <= MOST_SLOTS) return []
  const each = 2 ** bitsFor(vcs)
  const ports = Math.floor(MOST_SLOTS / each)
  const says = `a router of this network has too many ports for ${vcs} VCs each: at most ${ports.toLocaleString("en")} can be served`
  return [complain("vcs", says, "choose fewer VCs, or a topology whose routers have fewer ports")]
}

/** Cycles of a head that is alone, from its arrival to its departure. */
function pipelineOf(p: Params): number {
  const { route, traverse, speed } = p
  const allocation = (p.speculative ? 0 : p.vc) + p.switch
  if (p.stages === "pipelined") return Math.floor((route + allocation + traverse - 1) / speed) + 1
  const routed = route === 0 ? -1 : endOfBatch(0, route, speed)
  return cycleOf(endOfBatch(routed + 1 + allocation, traverse, speed), speed) + 1
}

/** Of allocators: where they promise more or less than others. */
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
  maximum: { uniform: 0.8, fair: false, because: "it looks for most pairs, from an input that goes round all of them, idle ones included" },
}

const others = allocatorNames.map((name) => ({ with: () => ({ vcAllocator: name, swAllocator: name }), ...promises[name] }))

export default {
  kind: "switch",
  name: "input-queued",
  revision: 2,
  about: "Virtual-channel router with input buffers: routing, VC allocation, switch allocation, crossbar.",
  cites: "A detailed and flexible cycle-accurate network-on-chip simulator, N. Jiang and others, 2013",
  can: ["classes", "priorities", "replies", "drawnVcs", "streamVcs", "bubbles", "escapes", "farQueues", "occupancy", "events"],
  conditions: {
    // Duato's condition: a head that is bound to a VC with other packets waits for that VC alone. The first keeps several
    // packets in a VC and so most of the throughput; the second is for wormhole
    escapes: {
      anyOf: [{ flow: "cut-through", busyWhenFull: true, sharing: "private" }, { tailCredit: true }],
      otherwise: "the switch may assign a packet to a VC that still holds other packets and has no space for it",
    },
    bubbles: {
      anyOf: [{ flow: "cut-through", sharing: "private" }],
      otherwise: "a packet may enter a ring of channels before the next buffer has space for all of it",
    },
  },
  behaviour: {
    stand: (flits, one) => ({ vcs: one ? 1 : 4, buffer: `${flits}flits` }),
    // VCs of an input ask for VCs of the output on their own
    requests: 4,
    variants: [
      { uniform: 0.65 },
      ...others,
      { with: () => ({ vcAllocator: "separable-input-first", swAllocator: "separable-input-first", arbiter: "matrix" }), uniform: 0.65 },
      {
        with: () => ({ vcs: 1 }),
        ...{ shared: 0.79, permutation: 0.66, uniform: 0.45 },
        because:
          "with one VC a packet of F flits takes an output for F + 1 steps and an input for F + 2: VC allocation and routing wait for the tail",
      },
    ],
  },
  params,
  check(p: Params, on?: { readonly topology?: Topology }): Complaint[] {
    const bad: Complaint[] = []
    if (on?.topology !== undefined) bad.push(...tooManyPorts(p, on.topology.graph))
    const total = p.total ?? p.vcs * p.buffer
    if (p.sharing === "private" && p.total !== undefined)
      bad.push(complain("total", "private buffers have a size for each VC", "set buffer, or sharing: damq"))
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
      bad.push(complain("arbiter", "only separable allocators have a choice", "set vcAllocator and swAllocator to separable-input-first"))
    if (p.stages === "batches" && (p.vc > 1 || p.switch > 1))
      bad.push(
        complain(
          "stages",
          "batches are for routing and crossbar; allocations of several steps are pipelined",
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
        // one batch may have just begun
        batch: p.stages === "batches" && p.traverse > 1 ? 2 * p.traverse + 1 : 0,
      },
      build: (site, use) => (wires) => makeInputQueued({ ...site, ...use, ...options }, wires),
    }
  },
} satisfies Plugin<Params, FlitSwitchModel, { readonly topology?: Topology } | undefined>
