// Further experiments of the network that takes part in a shoot-out, with its best routing: collectives on random
// endpoints, and uniform traffic with a share of the links down.
import { type Checked, complain } from "../../core/complaint.ts"
import { measure } from "../../proof/measures.ts"
import type { RunRecord } from "../../results/record.ts"
import { buildTopology } from "../topology-build.ts"
import { experimentOf, networkOf, type Raw, routingName, type Terms, traffic } from "./contest.ts"
import type { Pattern } from "./families.ts"
import type { Chosen } from "./solve.ts"

export type Collective = "all-to-all" | "all-reduce"

interface Work {
  readonly call: string
  readonly bytes: string
  readonly algorithm: string
}

/** Each rank has one block of 4 KiB for each other rank; or a vector of 1 MiB is reduced. */
const works: Readonly<Record<Collective, Work>> = {
  "all-to-all": { call: "alltoall", bytes: "4KiB", algorithm: "direct" },
  "all-reduce": { call: "allreduce", bytes: "1MiB", algorithm: "halving-doubling" },
}
export const collectives: readonly Collective[] = ["all-to-all", "all-reduce"]

/** Maximum number of ranks, because the messages of an all-to-all grow with the square. */
const MOST_RANKS = 512

/** Returns the number of ranks: a power of two that every network within the tolerance can hold. */
export function ranksOf(endpoints: number, tolerance: number): number {
  return Math.min(MOST_RANKS, 2 ** Math.floor(Math.log2(Math.max(2, endpoints * (1 - tolerance)))))
}

/** Returns the experiment that runs one collective. */
export function collectiveRun(
  chosen: Chosen,
  terms: Terms,
  routing: Readonly<Record<string, string>>,
  name: Collective,
  ranks: number,
): Raw {
  const { call, bytes, algorithm } = works[name]
  return {
    lacewing: 1,
    name,
    title: `Shoot-out: ${name} of ${ranks} ranks on ${chosen.command}`,
    engine: { name: terms.engine },
    network: networkOf(chosen, routing, terms),
    jobs: [
      {
        name,
        workload: { name: "collective", call, ranks, bytes },
        placement: "random",
        mpi: { eager: "1GiB", algorithms: { [call]: algorithm } },
      },
    ],
    measure: { until: "jobs", limit: "100ms" },
    seeds: [terms.seed],
  }
}

/** Returns the time of a collective in ns, or NaN if it did not end. */
export function nanosecondsOf({ spec, result }: RunRecord, value: string): number {
  const cycle = /^([\d.]+)(ns|ps)$/.exec(spec.network.cycle)
  const scale = cycle === null ? 1 : Number(cycle[1]) * (cycle[2] === "ps" ? 0.001 : 1)
  return (result.values[value] ?? Number.NaN) * scale
}

/** Returns the same network with a share of the links between its routers down, drawn at random. */
export function damaged(chosen: Chosen, share: number, seed: number): Checked<Chosen> {
  const { links } = measure(chosen.topology, { bisection: false })
  if (links === 0) return { bad: [complain("failures", "there are no links between routers", "choose another family")] }
  const params = { ...chosen.member.params, failures: Math.max(1, Math.round(share * links)) }
  const built = buildTopology(chosen.family.name, params, { seed })
  if ("bad" in built) return built
  return { ok: { ...chosen, member: { ...chosen.member, params }, topology: built.ok.topology } }
}

const uniform: Pattern = { name: "uniform" }

/** Returns one run of uniform traffic at load 1. */
export function damagedRun(chosen: Chosen, terms: Terms, routing: Readonly<Record<string, string>>): Raw {
  return experimentOf("down", chosen, terms, [
    [routingName(routing), { network: networkOf(chosen, routing, terms), traffic: traffic(uniform) }],
  ])
}

/** Returns the routings to try on a damaged network: the best one, those of the family, then any shortest path. */
export function survivors(chosen: Chosen, best: string): readonly Readonly<Record<string, string>>[] {
  const own = [...chosen.family.routings].sort(
    (a, b) => Number(routingName(b) === best) - Number(routingName(a) === best),
  )
  const any = own.some((r) => r["name"] === "any.shortest") ? [] : [{ name: "any.shortest" }]
  return [...own, ...any]
}
