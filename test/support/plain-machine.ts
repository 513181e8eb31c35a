// Machines of the tests' own switch and protocol.
import { partition } from "../../src/compile/clocked/partition.ts"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { eachInChain } from "../../src/fabric/packets.ts"
import type { CongestionModel } from "../../src/model/congestion.ts"
import type { EndpointModel } from "../../src/model/endpoint.ts"
import { compiledOf, type Wish } from "./machine.ts"
import { type PlainOptions, plainSwitch } from "./plain-switch.ts"

export interface PlainWish extends Omit<Wish, "congestion"> {
  /** VCs of data */
  readonly vcs: number
  readonly plain?: Partial<PlainOptions>
  readonly congestion?: CongestionModel
  readonly end?: Partial<EndpointModel>
  readonly parts?: number
}

export function plainEngine(w: PlainWish): TransferEngine {
  const { congestion = {}, ...wish } = w
  const compiled = compiledOf({ ...wish, switch: { vcs: w.vcs, buffer: "64flits" } })
  const more = (congestion.classes ?? []).reduce((n, c) => n + c.vcs, 0)
  const model = plainSwitch({ vcs: w.vcs + more, buffer: 24, maxPacket: 12, ...w.plain })
  const endpoint = { ...compiled.network.endpoint, ...w.end }
  const network = { ...compiled.network, switch: model, endpoint, congestion }
  const parts = w.parts ?? 1
  const engine = transferEngine(
    { ...compiled, network },
    { horizon: 20_000, series: 1024, parts, ...(parts > 1 ? { assign: partition(network.topology, parts) } : {}) },
  )
  engine.columns.control[CONTROL.from] = 0
  return engine
}

/** Runs until cycle `from` with sources, then until nothing is under way; answers the cycle. */
export function emptied(engine: TransferEngine, from: number): number {
  engine.columns.control[CONTROL.quiet] = from
  engine.advance(from)
  const left = () => engine.busy || engine.onLinks() > 0 || engine.timersDue() > 0 || recordsInUse(engine) > 0
  for (let i = 0; i < 100 && left(); i++) engine.advance(engine.now + 200)
  return engine.now
}

/** Records that are not free. */
export function recordsInUse(engine: TransferEngine): number {
  const { packets, fresh, freeHead, homeHead } = engine.columns
  let free = 0
  const count = () => free++
  for (const head of freeHead) eachInChain(packets, head, count)
  for (const head of homeHead) eachInChain(packets, head, count)
  return fresh.reduce((a, b) => a + b, 0) - free
}
