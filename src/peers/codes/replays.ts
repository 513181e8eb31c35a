// Traces that CODES replayed, as programs of our own: ring8 (a token of 1 KiB or 32 KiB, three laps of 8 ranks) and halo27 (3 x 3 x 3 ranks, 6 x 4 KiB or
// 64 KiB, five turns of 20 us of computing), on its small networks, under its rules: collectives cost nothing, gaps up to 100 ns vanish, messages below
// 8192 bytes are eager, each message takes 10 + 2500 + 1000 ns before the interface and 0.55 ns for each eager byte, rank i sits on endpoint i.
import { type WithJobs, withJobs } from "../../compile/packet/jobs.ts"
import { workloads } from "../../library.ts"
import { PacketCrew } from "../../run/packet/run.ts"
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

/** id: as recorded; then end, mean and most communication time in ns. */
const recorded = `
ring8e_slimfly_q5_p4_200n_adaptive_dis0 104953.868 93162.3433 104953.868
ring8e_slimfly_q5_p4_200n_adaptive_dis1 104953.868 93162.3433 104953.868
ring8r_slimfly_q5_p4_200n_adaptive_dis0 337250.408 298709.196 337250.408
ring8r_slimfly_q5_p4_200n_adaptive_dis1 337250.408 298709.196 337250.408
halo27e_slimfly_q5_p4_200n_adaptive_dis0 148009.974 46979.5389 48009.9743
halo27e_slimfly_q5_p4_200n_adaptive_dis1 48009.9748 46979.5394 48009.9748
halo27r_slimfly_q5_p4_200n_adaptive_dis0 374670.053 261807.415 274670.053
halo27r_slimfly_q5_p4_200n_adaptive_dis1 278707.22 263933.729 278707.22
ring8e_dragonfly_dally_72n_prog_dis0 124164.299 109513.257 124164.299
ring8e_dragonfly_dally_72n_prog_dis1 124164.299 109513.257 124164.299
ring8r_dragonfly_dally_72n_prog_dis0 388357.85 344103.631 388357.85
ring8r_dragonfly_dally_72n_prog_dis1 388357.85 344103.631 388357.85
halo27e_dragonfly_dally_72n_prog_dis0 159071.232 56784.6185 59071.232
halo27e_dragonfly_dally_72n_prog_dis1 59071.2325 56784.619 59071.2325
halo27r_dragonfly_dally_72n_prog_dis0 390521.98 280135.484 290521.98
halo27r_dragonfly_dally_72n_prog_dis1 297880.964 284018.249 297880.964
ring8e_dragonfly_plus_80n_prog_dis0 105959.766 93957.3184 105959.766
ring8e_dragonfly_plus_80n_prog_dis1 105959.766 93957.3184 105959.766
ring8r_dragonfly_plus_80n_prog_dis0 333949.606 296206.916 333949.606
ring8r_dragonfly_plus_80n_prog_dis1 333949.606 296206.916 333949.606
halo27e_dragonfly_plus_80n_prog_dis0 149170.885 48337.5045 49170.8851
halo27e_dragonfly_plus_80n_prog_dis1 49170.8856 48337.505 49170.8856
halo27r_dragonfly_plus_80n_prog_dis0 368231.929 258444.988 268231.929
halo27r_dragonfly_plus_80n_prog_dis1 266560.81 253266.878 266560.81
`

export function replays(): Replay[] {
  return recorded
    .trim()
    .split("\n")
    .map((line) => {
      const [id, end, mean, most] = line.split(" ") as [string, string, string, string]
      const network = id.includes("slimfly") ? "sf200" : id.includes("dally") ? "df72" : "mf80"
      const trace = id.slice(0, id.indexOf("_")) as Replay["trace"]
      return { id, trace, network, compute: id.endsWith("dis0"), end: Number(end), mean: Number(mean), most: Number(most) }
    })
}

const us = 1e6

export function replayProgram(trace: Replay["trace"]): workloads.Program {
  const eager = trace.endsWith("e")
  return trace.startsWith("ring")
    ? workloads.ring({ ranks: 8, bytes: eager ? 1024 : 32768, laps: 3 })
    : workloads.halo({ grid: [3, 3, 3], bytes: eager ? 4096 : 65536, turns: 5, compute: 20 * us })
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
  const entry = codesEntries().find((e) => e.network === r.network && e.routing === routing && !e.noDelay && e.chunk === 4096)!
  const program = replayProgram(r.trace)
  const analysis = workloads.analyse(program)
  const params = workloads.mpiParams.parse({ ...rules, compute: r.compute ? 1 : 0 }, "mpi")
  if ("bad" in analysis || "bad" in params) throw new Error("CODES' rules are not ours")
  const plan = { name: r.trace, program, analysis: analysis.ok, params: params.ok, start: 0, seed }
  const place = Int32Array.from({ length: program.ranks }, (_, i) => i)
  const network = withJobs({ ...codesNetwork(entry, seed), streams: [] }, [plan], place)
  if ("bad" in network) throw new Error(network.bad[0]!.says)
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
  const crew = new PacketCrew(network, { sync: "sequential" }, () => () => undefined)
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
