// From parameters to the model of the Omni-Path switch that the engine reads before it allocates memory.
import type { Rule } from "../../core/complaint.ts"
import type { SharedBufferSpec } from "../../fabric/shared-buffers.ts"
import type { TrafficLook, TransferSwitchModel } from "../../fabric/switch-model.ts"
import { ofSwitch } from "../../fabric/switch-rules.ts"
import { mostOf, serviceLevelRules } from "../parts/parameter-checks.ts"
import type { OmniPathParams } from "./params.ts"
import { makeOmniPath } from "./switch.ts"
import { unfitTables, vlsOf } from "./tables.ts"
import { unfitVfabrics } from "./vfabrics.ts"

/** The flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

/** Returns the model. A packet must fit into the part of each buffer that one VL may hold. */
export function omniPathModel(p: OmniPathParams): TransferSwitchModel {
  const maxPacket = Math.min(MOST_FLITS, mostOf(p, p.input), mostOf(p, p.output), mostOf(p, p.central))
  const hold = new Uint16Array(maxPacket + 1).fill(p.route)
  const all = 2 ** p.vcs - 1
  const bufferOf = (flits: number): SharedBufferSpec => ({
    flits,
    reserve: p.reservedPerVl,
    reservedVcs: all,
    cap: mostOf(p, flits) - p.reservedPerVl,
    part: 0,
  })
  const vls = vlsOf(p)
  return {
    moves: "packets",
    vcs: p.vcs,
    layout: {
      clock: { link: 1, core: 1 },
      hold,
      // The direct path. The path through the centre takes `middle` more cycles, which count as waiting time.
      pass: new Uint16Array(1).fill(1 + p.traverse),
      maxPacket,
      innerFlits: p.output + Math.ceil(p.central / p.mport),
      input: () => bufferOf(p.input),
      output: () => bufferOf(p.output),
      ownWord: true,
      sums: true,
    },
    entry: { anyEntry: true, ...(vls === undefined ? {} : { vlOf: vls }) },
    rules: { traffic: rulesOf(p, maxPacket) },
    build: (site, use) => makeOmniPath({ site, use, p, hold }),
  }
}

function rulesOf(p: OmniPathParams, maxPacket: number): readonly Rule<TrafficLook>[] {
  const changes = p.sl2scPorts.length === 0 ? undefined : "sl2scPorts"
  return [
    ...serviceLevelRules(p, maxPacket, ["input", "output", "central"], changes),
    {
      reads: ["traffic.*.class", "network.switch.sl2sc", "network.switch.sl2scPorts", "network.switch.sc2vl"],
      test: ({ plan }) => ofSwitch(unfitTables(p, plan)),
    },
    {
      reads: ["network.switch.vfabrics", "traffic.*"],
      test: ({ streams, ends }) => unfitVfabrics(p.vfabrics, streams, ends),
    },
  ]
}
