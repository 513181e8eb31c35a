// Traces that CODES replayed, as programs of lacewing on its small networks. `ring8` passes a token of 1 KiB or 32 KiB
// three times around 8 ranks. `halo27` has 3 x 3 x 3 ranks that exchange 6 messages of 4 KiB or 64 KiB in five
// iterations with 20 us of computing.
//
// The rules are those of CODES. Collectives cost nothing, and gaps up to 100 ns vanish. Messages below 8192 bytes are
// eager. Each message takes 10 + 2500 + 1000 ns before the interface and 0.55 ns for each eager byte. Rank i runs on
// endpoint i.
import { type WithJobs, withJobs } from "../../../compile/packet/jobs.ts"
import { workloads } from "../../../library.ts"
import { PacketWorkers } from "../../../run/packet/run.ts"
import { readRecorded } from "../recorded.ts"
import { codesEntries, codesNetwork } from "./experiments.ts"

export interface Replay {
  readonly id: string
  readonly trace: "ring8e" | "ring8r" | "halo27e" | "halo27r"
  readonly network: "sf200" | "df72" | "mf80"
  readonly compute: boolean
  /** ns: end of the last rank; communication time of a rank, mean and most */
  readonly end: number
  readonly mean: number
  readonly most: number
}

/** Returns the recorded replays (replays.tsv). */
export function replays(): Replay[] {
  return readRecorded("codes/replays.tsv", ["id", "end", "mean", "max"]).map(({ id, end, mean, max }) => ({
    id,
    trace: id.slice(0, id.indexOf("_")) as Replay["trace"],
    network: id.includes("slimfly") ? "sf200" : id.includes("dally") ? "df72" : "mf80",
    compute: id.endsWith("dis0"),
    end: Number(end),
    mean: Number(mean),
    most: Number(max),
  }))
}

const us = 1e6

export function replayProgram(trace: Replay["trace"]): workloads.Program {
  const eager = trace.endsWith("e")
  return trace.startsWith("ring")
    ? workloads.ring({ ranks: 8, bytes: eager ? 1024 : 32768, iterations: 3 })
    : workloads.halo({ grid: [3, 3, 3], bytes: eager ? 4096 : 65536, iterations: 5, compute: 20 * us })
}

/** CODES' rules of MPI. */
const rules = {
  eager: "8192B",
  limit: "below",
  control: "64B",
  header: "1B",
  software: "2500ns",
  nic: "1010ns",
  copy: "0.55ns",
  noise: "500ps",
  sends: "left",
  matching: "arrival",
  collectives: "free",
  gap: "100ns",
}

export function replayNetwork(r: Replay, seed: number): WithJobs {
  const routing = r.network === "sf200" ? "adaptive" : "prog-adaptive"
  const entry = codesEntries().find(
    (e) => e.network === r.network && e.routing === routing && !e.noDelay && e.chunk === 4096,
  )!
  const program = replayProgram(r.trace)
  const analysis = workloads.analyse(program)
  const params = workloads.mpiParams.parse({ ...rules, compute: r.compute ? 1 : 0 }, "mpi")
  if ("bad" in analysis || "bad" in params) throw new Error("CODES' rules are not ours")
  const plan = { name: r.trace, program, analysis: analysis.ok, params: params.ok, start: 0, seed }
  const place = Int32Array.from({ length: program.ranks }, (_, i) => i)
  const network = withJobs({ ...codesNetwork(entry, seed), streams: [] }, [plan], place)
  if ("bad" in network) throw new Error(network.bad[0].says)
  return network.ok
}

export interface Replayed {
  /** ns; -1: not all ranks have ended */
  readonly end: number
  readonly mean: number
  readonly most: number
}

export function replay(r: Replay, seed: number): Replayed {
  const network = replayNetwork(r, seed)
  const crew = new PacketWorkers(network, { sync: "sequential" }, () => () => undefined)
  while (!crew.idle()) crew.advance(crew.reached() + 1e9)
  const words = crew.summaries()
  const [job] = workloads.reportJobs(network.ranks.jobs, (rank) => words.subarray(rank * workloads.RANK_WORDS))
  if (job!.finished < job!.ranks) return { end: -1, mean: -1, most: -1 }
  const times = job!.communication
  return {
    end: job!.ended / 1000,
    mean: times.reduce((a, b) => a + b, 0) / times.length / 1000,
    most: times.reduce((a, b) => Math.max(a, b)) / 1000,
  }
}
