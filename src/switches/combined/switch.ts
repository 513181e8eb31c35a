// All combined input and output queued switches of a partition, from the parts of ../parts:
//
//   arrive -> route -> queue of the VC (and output) -> crossbar, packet by packet -> output buffer -> link
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { makeCrossbar } from "../parts/crossbar.ts"
import { makeCycle } from "../parts/cycle.ts"
import type { DetectionPart } from "../parts/detection.ts"
import { LOOK } from "../parts/dropping.ts"
import { makeInput } from "../parts/input.ts"
import { makeOutput } from "../parts/output.ts"
import type { SensingPart } from "../parts/sensing.ts"
import { crossbarUse } from "../parts/use.ts"
import { eachQueue } from "../parts/visit.ts"
import { auditCombined } from "./audit.ts"
import { digestCombined } from "./digest.ts"
import { type CombinedSpec, frameOf } from "./frame.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeCombined(spec: CombinedSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, matching } = frame
    const dropping = frame.dropping?.(wires)
    const input = makeInput({ ...frame.input, dropping })
    const output = makeOutput(frame.output, wires, input.renew)
    const detection = frame.detection?.(wires)
    const crossbar = makeCrossbar({ ...frame.crossbar, sensing: sensedBy(frame.sensing, detection) }, input, output, wires)
    const front = (q: number, o: number, v: number): number => chains.first(input.queueOf(q, o, v))
    frame.telemetry?.between(output.columns.outHeld)
    detection?.between({ front, arrive: input.arrive })
    dropping?.between({
      waiting: input.columns.waiting,
      outHeld: output.columns.outHeld,
      front,
      leave: input.leave,
      arrive: input.arrive,
      forget: crossbar.forget,
    })
    const DROPS = dropping !== undefined
    const { marking, sensing } = frame
    const columns = {
      ...chains.columns,
      ...matching.columns,
      ...input.columns,
      ...output.columns,
      ...crossbar.columns,
      ...marking?.columns,
      ...sensing?.columns,
      ...detection?.columns,
      ...dropping?.columns,
      ...frame.telemetry?.columns,
    }
    const SENSES = sensing !== undefined
    const DETECTS = detection !== undefined
    let first = 0
    let last = 0
    const { link: LINK, core: CORE } = frame.clock
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    const watch = {
      before(s: number, t: number, from: number, to: number): void {
        first = from
        last = to
        if (DROPS && t % LOOK === 0 && s * CORE < t * LINK + CORE) dropping!.look(from, to, t)
      },
      // once in a cycle, after its last step
      after(s: number, t: number): void {
        if ((s + 1) * CORE < (t + 1) * LINK) return
        if (SENSES) sensing!.settle()
        if (DETECTS) detection!.sample(first, last, t)
      },
    }

    return {
      ...makeCycle(site, input, output, crossbar, DROPS || SENSES ? watch : undefined),
      arrive: input.arrive,
      ...(input.arrivals === undefined ? {} : { arrivals: input.arrivals }),
      credit: output.credit,
      columns,
      digest: (d, outer) => digestCombined(state, d, outer),
      audit: (t, kept = 0) => auditCombined(state, t, kept),
      copies: () => 0,
      values: (cycles) => ({
        "ecn.marked": marksIn(marking?.columns["marked"], sensing?.columns["contended"], frame.telemetry?.columns["early"]),
        ...crossbarUse(state, cycles),
      }),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueue(state, visit, false, first, end),
      waits: () => waitsOf(state),
      span: queueSpan(frame),
      timersDue: () => 0,
    }
  }
}

/** Detection sees all that is marked. */
function sensedBy(sensing: SensingPart | undefined, detection: DetectionPart | undefined): SensingPart | undefined {
  if (sensing === undefined || detection === undefined) return sensing
  return {
    ...sensing,
    crosses(o, p, t) {
      sensing.crosses(o, p, t)
      detection.crosses(o, p, t)
    },
  }
}

function marksIn(...columns: readonly (ArrayLike<number> | undefined)[]): number {
  let marks = 0
  for (const column of columns) for (let r = 0; r < (column?.length ?? 0); r++) marks += column![r]!
  return marks
}
