// Why a run ended, for `explain` and the manual.
import type { StopReason } from "../../model/experiment.ts"

/** Why a run ended: what it means, and what one may do about it. Each has a page. */
export const stopReasons: Readonly<Record<StopReason, { readonly about: string; readonly advice: string; readonly exit: 0 | 1 | 3 }>> = {
  steady: {
    about: "mean latency is known as well as measure.precision asks, and neither rises nor is the backlog growing",
    advice: "Nothing to do: this is the good end of a run with an automatic window.",
    exit: 0,
  },
  saturated: {
    about: "the network accepts clearly less than it is offered; the accepted load is measured, latency grows with the length of the run",
    advice:
      "Read `accepted` and its interval, not `latency`: packets wait ever longer, so that mean says how long the run was. `search: saturation` finds the load where this begins.",
    exit: 0,
  },
  drained: {
    about: "a window of a given length was run, and all packets that were created in it have arrived",
    advice:
      "Nothing to do: this is the good end of a run with measure.window. If it says `drained (saturated)`, less was accepted than offered.",
    exit: 0,
  },
  cycles: {
    about: "measure.limit was reached before the goal of the measurement",
    advice:
      "The values are of the window so far. Raise measure.limit, allow a wider interval with measure.precision, or see whether the load is near saturation, where queues are slow.",
    exit: 0,
  },
  deadlock: {
    about: "packets wait for one another in a circle, or nothing can ever move again; the circle is named hop by hop",
    advice:
      "`lacewing check FILE` proves or refutes a routing before it runs, and says how many VCs it needs. Give more VCs, or another routing.",
    exit: 3,
  },
  starved: {
    about:
      "packets were created, no buffer holds any of them, nothing is on a wire and no timer is due: endpoints hold them back for ever, or they are lost",
    advice:
      "Look at the endpoint and congestion management: a window or reservation that never opens again, or failures without a protocol that sends again.",
    exit: 3,
  },
  waiting: {
    about: "ranks of jobs wait for messages that nobody is going to send",
    advice: "`lacewing trace check FILE` finds such ranks without a network, call by call.",
    exit: 0,
  },
  memory: {
    about: "the run would need more memory than limits.memory or than the machine has",
    advice:
      "`lacewing run FILE --dry-run` predicts the memory of every run. Raise limits.memory, take a smaller network, or engine: packet.",
    exit: 1,
  },
  time: {
    about: "the run took longer than limits.time",
    advice: "Raise limits.time, or go on from where it was with --checkpoint.",
    exit: 1,
  },
  crashed: {
    about: "the process that ran it failed; its message is in the record",
    advice: "Run the same command again: what is finished is kept. If it fails again, report it with the experiment file.",
    exit: 1,
  },
}
