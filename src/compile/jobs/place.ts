// Placement of ranks: assigns an endpoint to each rank; endpoints are not shared between jobs. jobs.ts calls it.
import { type Checked, complain } from "../../core/complaint.ts"
import { below, draw } from "../../core/rng.ts"
import type { JobSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { Topology } from "../../model/topology.ts"

/** Returns [rank of all copies] -> endpoint. `taken`: [endpoint] -> 1 if a job has it; `word`: seed of the random draws. */
export function placed(
  topology: Topology,
  job: JobSpec,
  ranks: number,
  copies: number,
  taken: Uint8Array,
  word: number,
  host: Host,
): Checked<number[]> {
  const ends = Math.min(topology.graph.ends, job.among ?? Number.POSITIVE_INFINITY)
  const order = orderOf(topology, job, ends, word, host)
  if ("bad" in order) return order
  const free = order.ok.filter((e) => taken[e] === 0 && e < ends)
  /** endpoints of one copy; copies share none */
  const own = Math.ceil(ranks / job.each)
  const wanted = own * copies
  if (free.length < wanted) {
    const says = `${ranks * copies} ranks want ${wanted} endpoints; of ${ends}, ${free.length} are free`
    return {
      bad: [complain("workload", says, "choose fewer ranks, more ranks on each endpoint (each), or a larger network")],
    }
  }
  for (let i = 0; i < wanted; i++) taken[free[i]] = 1
  const seat = (i: number) => free[own * Math.floor(i / ranks) + Math.floor((i % ranks) / job.each)]
  return { ok: Array.from({ length: ranks * copies }, (_, i) => seat(i)) }
}

/** Returns all endpoints, or those of a file, in the order in which ranks use them. */
function orderOf(
  topology: Topology,
  { placement, file }: JobSpec,
  ends: number,
  word: number,
  host: Host,
): Checked<number[]> {
  const { graph } = topology
  const all = Array.from({ length: ends }, (_, e) => e)
  const router = (e: number) => graph.routerOf[graph.entry[e * graph.rails]]
  if (placement === "contiguous") return { ok: all }
  if (placement === "routers") return { ok: inTurn(all, router) }
  if (placement === "groups") {
    const { group } = topology
    if (group === undefined)
      return {
        bad: [complain("placement", "the network has no groups", "choose contiguous, random, routers, or a file")],
      }
    return { ok: inTurn(all, (e) => group[router(e)]) }
  }
  if (placement === "random") return { ok: shuffled(all, word) }
  if (file === undefined)
    return { bad: [complain("file", "is missing", "give a text file with an endpoint for each rank")] }
  return listed(file, graph.ends, host)
}

/** Fisher-Yates shuffle with counter-based draws. */
function shuffled(all: number[], word: number): number[] {
  for (let i = all.length - 1; i > 0; i--) {
    const j = below(draw(word, i), i + 1)
    const e = all[i]
    all[i] = all[j]
    all[j] = e
  }
  return all
}

/** Returns one endpoint of each kind (router or group) after the other; within a kind in numerical order. */
function inTurn(all: readonly number[], kindOf: (e: number) => number): number[] {
  const seen = new Map<number, number>()
  const turn = all.map((e) => {
    const k = seen.get(kindOf(e)) ?? 0
    seen.set(kindOf(e), k + 1)
    return k
  })
  return [...all].sort((a, b) => turn[a] - turn[b] || a - b)
}

/** Reads a list of endpoints from a file; repeated endpoints count once. */
function listed(file: string, ends: number, host: Host): Checked<number[]> {
  const text = host.read(file)
  const words = text.split(/\s+/).filter((w) => w !== "")
  const wrong = words.find((w) => !/^\d+$/.test(w) || Number(w) >= ends)
  if (wrong !== undefined)
    return {
      bad: [
        complain(
          "file",
          `${file}: "${wrong}" is not an endpoint from 0 to ${ends - 1}`,
          "write an endpoint for each rank",
        ),
      ],
    }
  return { ok: [...new Set(words.map(Number))] }
}
