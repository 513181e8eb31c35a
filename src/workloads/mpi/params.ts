// Parameters of the MPI layer (`jobs.mpi` of an experiment): costs and protocol decisions. Each assumption of the model
// has a name here, because simulators differ in them. The defaults describe a zero-overhead MPI with MPICH's collective
// algorithms.
import { bytes, choice, int, mapOf, real, schema, text, time } from "../../core/schema.ts"
import type { Rules } from "../../model/plugin.ts"

export const mpiParams = schema({
  eager: bytes({
    about: "Maximum size of an eager message; longer messages use the rendezvous protocol",
    default: "8KiB",
  }),
  limit: choice(["through", "below"], {
    about: "Whether a message of exactly the eager limit is still eager (through) or not (below)",
    default: "through",
  }),
  control: bytes({
    about: "Size of the control messages of a rendezvous (request to send, clear to send)",
    min: 1,
    default: "64B",
  }),
  header: bytes({
    about: "Minimum size of a message in the network: an empty message travels as its header",
    min: 1,
    default: "16B",
  }),
  software: time({
    about: "Delay of each message from the call to the network interface; the rank continues meanwhile",
    default: "0ns",
  }),
  nic: time({ about: "Further delay of each message in the network interface", default: "0ns" }),
  copy: time({ about: "Copy time for each byte of an eager message; the rank continues meanwhile", default: "0ns" }),
  noise: time({
    about:
      "Maximum random delay of each message before the network interface, so that messages sent together leave in " +
      "random order (CODES: 0.5 ns)",
    default: "0ns",
  }),
  overhead: time({
    about: "LogGP o: processor time of each send and of each receive",
    default: "0ns",
  }),
  overheadByte: time({
    about: "LogGP O: processor time of each send and receive for each byte after the first",
    default: "0ns",
  }),
  sends: choice(["copied", "left"], {
    about: "When an eager send finishes: when its data is copied, or when all of it has left the network interface",
    default: "copied",
  }),
  matching: choice(["ordered", "arrival"], {
    about:
      "Matching order of the messages of one sender: the order of the sends (ordered, as MPI demands) or the order " +
      "of arrival (arrival, as CODES does)",
    default: "ordered",
  }),
  collectives: choice(["mpich", "sst", "free"], {
    about:
      "Algorithm selection of collectives: by size as in MPICH, as in SST/Macro, or free (no messages and no time, " +
      "as in CODES)",
    default: "mpich",
  }),
  partialWaits: choice(["wait", "free"], {
    about:
      "Waits for some of several requests (MPI_Waitany, MPI_Waitsome) wait for those that finished in the trace " +
      "(wait), or take no time (free, as in CODES)",
    default: "wait",
  }),
  algorithms: mapOf(text({ about: "Name of an algorithm" }), {
    about: "Algorithm of a collective for all sizes, such as allreduce: ring",
    default: {},
  }),
  node: int({ about: "Number of ranks on each node, for hierarchical collectives", min: 1, default: 1 }),
  compute: real({ about: "Factor on computing times: 0 ignores them, 1 uses them unchanged", min: 0, default: 1 }),
  gap: time({ about: "Computing times up to this value are ignored", default: "0ns" }),
})

export type MpiParams = typeof mpiParams extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** The costs and decisions of other simulators, by the name of their rules (`engine.rules`). */
export const mpiRules: Rules = {
  "codes-2019": [
    {
      keys: {
        eager: "8192B",
        limit: "below",
        software: "2500ns",
        nic: "1000ns",
        copy: "0.55ns",
        noise: "500ps",
        sends: "left",
        matching: "arrival",
        collectives: "free",
        partialWaits: "free",
        gap: "100ns",
      },
    },
  ],
}
