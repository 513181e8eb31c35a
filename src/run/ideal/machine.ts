// The two machines of the ideal network behind one interface: ranks of MPI programs (engines/ideal/engine.ts) and
// schedules by the rules of LogGOPSim (engines/ideal/loggopsim.ts).
import type { IdealCompiled } from "../../compile/ideal.ts"
import { makeIdeal } from "../../engines/ideal/engine.ts"
import { makeLogGOPSim } from "../../engines/ideal/loggopsim.ts"
import { workloads } from "../../library.ts"
import type { IdealMachine } from "../../measure/ideal/machine.ts"
import { columnIn } from "../../measure/saved.ts"
import type { Schedule } from "../../model/schedule.ts"

export function machineOf(c: IdealCompiled): IdealMachine {
  return c.schedule === undefined ? ofRanks(c) : ofSchedule(c, c.schedule)
}

function ofRanks({ layer, net, processors }: IdealCompiled): IdealMachine {
  const ideal = makeIdeal(layer, net, processors)
  return {
    ...ideal,
    words: ideal.mem.length,
    finished: (rank) => ideal.ranks.finished(rank),
    summaries() {
      const all = new Int32Array(layer.ranks * layer.summary)
      for (let r = 0; r < layer.ranks; r++) ideal.ranks.summary(r, all, r * layer.summary)
      return all
    },
    save() {
      const { numbers, columns } = ideal.save()
      return { numbers: { ...numbers }, columns: { ...columns } }
    },
    restore: (numbers, saved) =>
      ideal.restore({
        numbers: {
          now: valueIn(numbers, "now"),
          free: valueIn(numbers, "free"),
          events: valueIn(numbers, "events"),
          messages: valueIn(numbers, "messages"),
          bytes: valueIn(numbers, "bytes"),
        },
        columns: {
          records: columnIn(saved, "records", Int32Array),
          rest: columnIn(saved, "rest", Int32Array),
          times: columnIn(saved, "times", Float64Array),
          ties: columnIn(saved, "ties", Float64Array),
          items: columnIn(saved, "items", Int32Array),
        },
      }),
  }
}

function ofSchedule({ net, layer }: IdealCompiled, schedule: Schedule): IdealMachine {
  const machine = makeLogGOPSim(schedule, net)
  return {
    ...machine,
    summaries: () => workloads.scheduleSummary(schedule, machine.state, machine.freeFrom, net.G, layer.summary),
    save() {
      const { numbers, columns } = machine.save()
      return { numbers: { ...numbers }, columns: { ...columns } }
    },
    restore: (numbers, saved) =>
      machine.restore({
        numbers: {
          now: valueIn(numbers, "now"),
          issued: valueIn(numbers, "issued"),
          events: valueIn(numbers, "events"),
          messages: valueIn(numbers, "messages"),
          bytes: valueIn(numbers, "bytes"),
        },
        columns: {
          ints: columnIn(saved, "ints", Int32Array),
          reals: columnIn(saved, "reals", Float64Array),
          times: columnIn(saved, "times", Float64Array),
          ties: columnIn(saved, "ties", Float64Array),
          items: columnIn(saved, "items", Int32Array),
        },
      }),
  }
}

function valueIn(numbers: Readonly<Record<string, number>>, name: string): number {
  const value = numbers[name]
  if (value === undefined) throw new Error(`the saved run has no ${name}; start it again`)
  return value
}
