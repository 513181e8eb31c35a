// A packet simulation put together: memory, kernel, credits, the view of the routing, and the switch and endpoints that it is given.
import {
  ARRIVE,
  COLD_WORDS,
  type Credits,
  classOf,
  DST,
  type Handler,
  INJECT,
  ISSUE,
  type Kernel,
  NUMBER,
  type PacketSwitch,
  type Reserve,
  SCRATCH,
  SEND,
  type Terminals,
  WAKE,
} from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import { Candidates, type NetView } from "../../model/routing.ts"
import { layRings, makeRings } from "./credits.ts"
import { FACT, writeFact } from "./facts.ts"
import { type Loop, makeLoop } from "./kernel.ts"
import { Memory } from "./memory.ts"
import { PacketView } from "./view.ts"

/** What the engine hands to the switch and the endpoints. */
export interface MachineSite {
  readonly kernel: Kernel
  readonly credits: Credits
  readonly view: NetView
  readonly candidates: Candidates
  /** words from a record to its cold half */
  readonly cold: number
  readonly vcBits: number
  deliver(c: number, t: number): void
}

export interface Parts {
  /** Reserves the columns of the switch; answers where waiting chunks are counted, and how to build it. */
  switch(memory: Reserve, vcBits: number): { readonly waiters: number; make(site: MachineSite, terminals: Terminals): PacketSwitch }
  terminals(memory: Reserve): { make(site: MachineSite): Terminals }
}

export interface MachineSpec {
  readonly graph: Graph
  readonly seed: number
  readonly vcs: number
  readonly scratch: number
  readonly candidates: number
  /** [slot] -> chunks that fit; slots of channels, then one for each entry */
  capacity(slots: number, vcBits: number): Uint16Array
  readonly chunkFlits: number
  readonly flitBytes: number
  /** chunks that may be on their way at once */
  readonly records: number
  /** an endpoint is a logical process with its router, or one of its own */
  readonly merged: boolean
  readonly shift: number
  readonly slots: number
  /** Takes rows of facts: words FACT.words apart. */
  drain(rows: Int32Array, count: number): void
}

export interface Machine extends Loop {
  readonly graph: Graph
  /** Hands over the facts written so far. */
  flush(): void
  start(): void
  /** words of memory */
  readonly words: number
}

const ROWS = 2048

export function makeMachine(spec: MachineSpec, parts: Parts): Machine {
  const { graph } = spec
  const vcBits = Math.ceil(Math.log2(Math.max(1, spec.vcs)))
  const entrySlots = graph.chans << vcBits
  const entries = graph.ends * graph.rails
  const stride = Math.max(COLD_WORDS, 1 << Math.ceil(Math.log2(SCRATCH + Math.max(1, spec.scratch))))
  const memory = new Memory()
  const cold = (spec.records + 1) * stride
  memory.reserve(2 * cold)
  const capacity = spec.capacity(entrySlots + entries, vcBits)
  const most = capacity.reduce((a, b) => Math.max(a, b), 0)
  const least = capacity.reduce((a, b) => Math.min(a, b), most)
  const rings = layRings(memory, entrySlots + entries, most)
  const switchPart = parts.switch(memory, vcBits)
  const terminalPart = parts.terminals(memory)
  const mem = new Int32Array(memory.size)

  const rows = new Int32Array(ROWS * FACT.words)
  let written = 0
  const drain = spec.drain
  function flush(): void {
    if (written > 0) drain(rows, written)
    written = 0
  }

  const endLp = new Int32Array(entries)
  for (let i = 0; i < entries; i++) {
    endLp[i] = spec.merged ? graph.routerOf[graph.entry[i]!]! : graph.routers + Math.floor(i / graph.rails)
  }

  const plan = {
    mem,
    stride,
    recordsEnd: cold,
    lps: graph.routers + (spec.merged ? 0 : graph.ends),
    shift: spec.shift,
    slots: spec.slots,
    rebase: () => memory.rebase(mem),
  }
  const loop = makeLoop(plan, build)

  function build(kernel: Kernel): Handler & { terminals: Terminals } {
    const { release, epoch } = kernel
    const credits = makeRings(kernel, rings, capacity, least)
    const view = new PacketView(kernel, credits, {
      seed: spec.seed,
      vcs: spec.vcs,
      vcBits,
      cold,
      chunkFlits: spec.chunkFlits,
      flitBytes: spec.flitBytes,
      capacity,
      waiters: switchPart.waiters,
    })
    function deliver(c: number, t: number): void {
      writeFact(rows, written * FACT.words, mem, c, cold, mem[c + DST]!, t, epoch())
      if (++written === ROWS) flush()
    }
    const site: MachineSite = { kernel, credits, view, candidates: new Candidates(spec.candidates), cold, vcBits, deliver }
    const terminals = terminalPart.make(site)
    const { arrive, send, wake } = switchPart.make(site, terminals)
    const { woken } = credits
    const { routerOf } = graph
    const rails = graph.rails

    function handle(e: number, t: number, key: number): void {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE) arrive(e, t, n)
      else if (kind === WAKE) {
        release(e)
        if (!woken(n, t)) return
        if (n < entrySlots) wake(n, t)
        else terminals.wake(n - entrySlots, t)
      } else if (kind === SEND) send(e, t, n)
      else if (kind === INJECT) terminals.inject(e, t, n)
      else terminals.issue(e, t, n)
    }

    function lpOf(key: number): number {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE || kind === SEND) return routerOf[n]!
      if (kind === WAKE) return n < entrySlots ? routerOf[n >> vcBits]! : endLp[n - entrySlots]!
      return endLp[kind === ISSUE ? n * rails : n]!
    }
    return { handle, lpOf, terminals }
  }

  return {
    ...loop,
    graph,
    words: memory.size,
    flush,
    start() {
      for (let e = 0; e < graph.ends; e++) loop.model.terminals.start(e)
    },
  }
}
