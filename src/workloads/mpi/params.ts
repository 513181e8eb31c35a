// What MPI costs, and how it decides: every assumption of the layer by name.
import { bytes, choice, int, mapOf, real, schema, text, time } from "../../core/schema.ts"

export const mpiParams = schema({
  eager: bytes({ about: "messages up to this size are sent at once; longer ones ask first (rendezvous)", default: "8KiB" }),
  limit: choice(["through", "below"], { about: "whether a message of just that size is still sent at once", default: "through" }),
  control: bytes({ about: "bytes of a request to send and of its answer", min: 1, default: "64B" }),
  header: bytes({ about: "least bytes of a message on the wire: an empty one travels as its header", min: 1, default: "16B" }),
  software: time({ about: "from the call to the interface, for every message, while the rank goes on", default: "0ns" }),
  nic: time({ about: "the interface's own share of that", default: "0ns" }),
  copy: time({ about: "for each byte that is sent at once: its copy, while the rank goes on", default: "0ns" }),
  noise: time({
    about: "random delay of each message before the interface, up to this: those sent together then leave in any order (CODES: 0.5 ns)",
    default: "0ns",
  }),
  overhead: time({ about: "o: time that the rank's processor spends on each send and on each receive", default: "0ns" }),
  overheadByte: time({ about: "O: the same for each byte after the first", default: "0ns" }),
  sends: choice(["copied", "left"], {
    about: "a send has finished when the rank may use its memory again: once copied, or once all of it has left the interface",
    default: "copied",
  }),
  matching: choice(["ordered", "arrival"], {
    about: "messages of one sender are matched in the order they were sent, as MPI demands, or as they arrive, as CODES does",
    default: "ordered",
  }),
  collectives: choice(["mpich", "sst", "free"], {
    about: "algorithms by size as MPICH chooses, as SST/Macro does, or collectives that cost nothing (CODES)",
    default: "mpich",
  }),
  algorithms: mapOf(text({ about: "name of an algorithm" }), {
    about: "algorithm of a collective, whatever its size, such as allreduce: ring",
    default: {},
  }),
  node: int({ about: "ranks that share a node, for hierarchical collectives", min: 1, default: 1 }),
  compute: real({ about: "factor on computing times: 0 ignores them, 1 takes them as they are", min: 0, default: 1 }),
  gap: time({ about: "computing times up to this are dropped", default: "0ns" }),
})

export type MpiParams = typeof mpiParams extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never
