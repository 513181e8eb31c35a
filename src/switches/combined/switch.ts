// All combined input and output queued switches of a partition, made of the stages in ../parts:
//
//   arrive -> route -> queue of the VC (and output) -> crossbar, packet by packet -> output buffer -> link
//
// Congestion controls add parts to these stages: marking, contention counters, detection, dropping and telemetry.
import type { MakeTransferSwitch, SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import type { ContentionCounters } from "../parts/contention-counters.ts"
import { makeCrossbar } from "../parts/crossbar.ts"
import { makeCycle } from "../parts/cycle.ts"
import type { DetectionPart } from "../parts/detection.ts"
import { LOOK } from "../parts/dropping.ts"
import { eachQueue } from "../parts/each-queue.ts"
import { makeInput } from "../parts/input.ts"
import { makeOutput } from "../parts/output.ts"
import { crossbarUtilisation } from "../parts/utilisation.ts"
import { makeVcTurns } from "../parts/vc-turns.ts"
import { auditCombined } from "./audit.ts"
import { digestCombined } from "./digest.ts"
import { makeFlitCredits } from "./flit-credits.ts"
import { type CombinedSpec, sharedStateOf } from "./shared-state.ts"
import { queueSpan, waitsOf } from "./waits.ts"

/** Allocates the state, and returns a function that connects the stages with the ports of the engine. */
export function makeCombined(spec: CombinedSpec): MakeTransferSwitch {
  const sharedState = sharedStateOf(spec)
  return (links: SwitchPorts): TransferSwitch => {
    const { site, packetQueues, matching } = sharedState
    const flitCredits =
      sharedState.flitCredits === undefined
        ? undefined
        : makeFlitCredits({ ...sharedState.output, columns: sharedState.flitCredits }, links, (port, v) =>
            stage?.freed(port, v),
          )
    // The credits of dropped packets wait with those of flits that cross.
    const returns = flitCredits === undefined ? links : { ...links, returnCredit: flitCredits.dropped }
    const dropping = sharedState.dropping?.(returns)
    const input = makeInput({ ...sharedState.input, dropping })
    const output = makeOutput(sharedState.output, links, input.renew)
    const detection = sharedState.detection?.(links)
    const stage =
      sharedState.turns === undefined
        ? undefined
        : makeVcTurns({ ...sharedState.crossbar, columns: sharedState.turns }, input, output)
    const turns = stage === undefined ? undefined : { stage, holds: output.holds }
    const crossbar = makeCrossbar(
      { ...sharedState.crossbar, turns, flitCredits, sensing: sensedBy(sharedState.sensing, detection) },
      input,
      output,
      links,
    )
    // The arbiter, detection, dropping and telemetry read stages that are created after them, so they are connected
    // here.
    sharedState.arbiter?.between({ head: crossbar.head, outHeld: output.columns.outHeld })
    const front = (q: number, o: number, v: number): number => packetQueues.first(input.queueOf(q, o, v))
    sharedState.telemetry?.between(output.columns.outHeld)
    detection?.between({ front, arrive: input.arrive })
    dropping?.between({
      waiting: input.columns.waiting,
      outHeld: output.columns.outHeld,
      allocated: sharedState.turns?.allocated,
      front,
      leave: input.leave,
      arrive: input.arrive,
      forget: crossbar.forget,
    })
    const DROPS = dropping !== undefined
    const { marking, sensing } = sharedState
    const columns = {
      ...packetQueues.columns,
      ...matching.columns,
      ...input.columns,
      ...output.columns,
      ...crossbar.columns,
      ...marking?.columns,
      ...sensing?.columns,
      ...detection?.columns,
      ...dropping?.columns,
      ...sharedState.telemetry?.columns,
      ...sharedState.turns,
      ...named("credit", sharedState.flitCredits),
    }
    const SENSES = sensing !== undefined
    const EACH = flitCredits !== undefined
    const DETECTS = detection !== undefined
    let first = 0
    let last = 0
    const { link: LINK, core: CORE } = sharedState.clock
    const state = { ...sharedState, columns, queueOf: input.queueOf, neededCredits: output.neededCredits }
    // Work of congestion controls before and after the arbitration of a core step.
    const watch = {
      before(s: number, t: number, from: number, to: number): void {
        first = from
        last = to
        // Only in the first core step of the cycle.
        if (DROPS && t % LOOK === 0 && s * CORE < t * LINK + CORE) dropping!.look(from, to, t)
      },
      // Congestion controls and credits only once in each cycle, after its last core step.
      after(s: number, t: number, from: number, to: number): void {
        if (EACH) flitCredits!.step(s, t, from, to)
        if ((s + 1) * CORE < (t + 1) * LINK) return
        if (SENSES) sensing!.settle()
        if (DETECTS) detection!.sample(first, last, t)
        if (EACH) flitCredits!.send(t, from, to)
      },
    }

    return {
      ...makeCycle(site, input, output, crossbar, DROPS || SENSES || EACH ? watch : undefined),
      arrive: input.arrive,
      ...(input.arrivals === undefined ? {} : { arrivals: input.arrivals }),
      credit: output.credit,
      columns,
      digest: (d, outer) => digestCombined(state, d, outer),
      audit: (t, kept = 0) => auditCombined(state, t, kept),
      values: (cycles) => ({
        "ecn.marked": marksIn(
          marking?.columns["marked"],
          sensing?.columns["contended"],
          sharedState.telemetry?.columns["early"],
        ),
        ...crossbarUtilisation(state, cycles),
        ...(spec.p.trim === undefined ? {} : { "trim.packets": marksIn(dropping?.columns["trimmed"]) }),
      }),
      queues: (visit, first, end) => eachQueue(state, visit, false, first, end),
      waits: () => waitsOf(state),
      span: queueSpan(sharedState),
    }
  }
}

/** Passes each packet that crosses to the detection as well. */
function sensedBy(
  sensing: ContentionCounters | undefined,
  detection: DetectionPart | undefined,
): ContentionCounters | undefined {
  if (sensing === undefined || detection === undefined) return sensing
  return {
    ...sensing,
    crosses(o, p, t) {
      sensing.crosses(o, p, t)
      detection.crosses(o, p, t)
    },
  }
}

/** Returns columns under names that differ from those of other parts. */
function named<T>(part: string, columns: Readonly<Record<string, T>> | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(columns ?? {}).map(([name, column]) => [`${part}.${name}`, column]))
}

/** Returns the number of packets that any of these parts has marked. */
function marksIn(...columns: readonly (ArrayLike<number> | undefined)[]): number {
  let marks = 0
  for (const column of columns) for (let r = 0; r < (column?.length ?? 0); r++) marks += column![r]
  return marks
}
