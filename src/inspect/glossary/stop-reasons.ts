// Why a run ended, for `explain` and the manual.
import type { StopReason } from "../../model/experiment.ts"

/** Why a run ended: what it means, and what one may do about it. Each has a page. */
export const stopReasons: Readonly<
  Record<StopReason, { readonly about: string; readonly advice: string; readonly exit: 0 | 1 | 3 }>
> = {
  steady: {
    about: "the mean latency has the precision of measure.precision, and neither latency nor backlog grows",
    advice: "Nothing to do: this is the normal end of a run with an automatic window.",
    exit: 0,
  },
  saturated: {
    about:
      "the network accepts clearly less than the offered load; the accepted load is " +
      "measured, but latency grows with the length of the run",
    advice:
      "Read `accepted` and its interval, not `latency`: waiting times grow, so the mean depends on the " +
      "length of the run. `search: saturation` finds the load where this begins.",
    exit: 0,
  },
  drained: {
    about: "the measurement window is over, and all packets created in it have arrived",
    advice:
      "Nothing to do: this is the normal end of a run with measure.window. If it says `drained " +
      "(saturated)`, the network accepted less than the offered load.",
    exit: 0,
  },
  limit: {
    about: "measure.limit was reached before the goal of the measurement",
    advice:
      "The values describe the window so far. Raise measure.limit, allow a wider interval with " +
      "measure.precision, or check whether the load is near saturation, where queues converge slowly.",
    exit: 0,
  },
  deadlock: {
    about:
      "packets wait for one another in a cycle, or no packet can ever move " +
      "again; the message lists the cycle hop by hop",
    advice:
      "`lacewing check FILE` proves or refutes a routing before it runs, and shows how " +
      "many VCs it needs. Use more VCs, or another routing.",
    exit: 3,
  },
  starved: {
    about:
      "packets were created, but no buffer and no link contains any of them and no timer " +
      "is pending: endpoints never send them, or they are lost",
    advice:
      "Check the endpoint and the congestion control for a window or reservation that " +
      "never reopens, or for failures without retransmission.",
    exit: 3,
  },
  waiting: {
    about: "ranks of jobs wait for messages that are never sent",
    advice: "`lacewing trace check FILE` finds such ranks without a network, call by call.",
    exit: 0,
  },
  memory: {
    about: "the run would need more memory than limits.memory or than the machine has",
    advice:
      "`lacewing run FILE --dry-run` predicts the memory of every run. Raise " +
      "limits.memory, use a smaller network, or engine: packet.",
    exit: 1,
  },
  time: {
    about: "the run took longer than limits.time",
    advice: "Raise limits.time, or use --checkpoint to continue the run later.",
    exit: 1,
  },
  crashed: {
    about: "the process that ran it failed; its message is in the record",
    advice:
      "Run the same command again; finished runs are kept. If it fails again, report it with the experiment file.",
    exit: 1,
  },
}
