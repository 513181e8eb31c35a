// From parameters to the model of the InfiniBand switch that the engine reads before it allocates memory.
import type { SharedBufferSpec } from "../../fabric/shared-buffers.ts"
import type { TransferSwitchModel } from "../../fabric/switch-model.ts"
import { ofSwitch } from "../../fabric/switch-rules.ts"
import { clockOf, untilNeverDry } from "../parts/clock.ts"
import { mostOf, serviceLevelRules } from "../parts/parameter-checks.ts"
import type { InfinibandParams } from "./params.ts"
import { makeInfiniband } from "./switch.ts"
import { unfitTables, vlsOf } from "./tables.ts"

/** The flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

/**
 * Returns the model. A packet must fit into the part of a buffer that one VL may hold. With `start: dry`, a packet is
 * held until its transfer cannot run out of flits.
 */
export function infinibandModel(p: InfinibandParams): TransferSwitchModel {
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const maxPacket = Math.min(MOST_FLITS, mostOf(p, p.input), mostOf(p, p.output))
  const dry = p.start === "dry"
  const hold = Uint16Array.from(
    { length: maxPacket + 1 },
    (_, f) => p.route + (dry && f > 0 ? untilNeverDry(clock, f) : 0),
  )
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
      clock,
      hold,
      // A transfer starts in the first core step of the cycle, and the link follows in the next cycle.
      pass: new Uint16Array(clock.core).fill(1 + p.traverse),
      maxPacket,
      innerFlits: p.output,
      input: () => bufferOf(p.input),
      output: () => bufferOf(p.output),
      ownWord: true,
      sums: true,
    },
    entry: { anyEntry: true, ...(vls === undefined ? {} : { vlOf: vls }) },
    rules: {
      traffic: [
        ...serviceLevelRules(p, maxPacket, ["input", "output"], p.sl2vlPorts.length === 0 ? undefined : "sl2vlPorts"),
        {
          reads: ["traffic.*.class", "network.switch.sl2vl", "network.switch.sl2vlPorts"],
          test: ({ plan }) => ofSwitch(unfitTables(p, plan)),
        },
      ],
    },
    build: (site, use) => makeInfiniband({ site, use, p, clock, hold }),
  }
}
