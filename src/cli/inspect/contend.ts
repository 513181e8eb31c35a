// Executes all runs of one network of a shoot-out. It runs every routing under the patterns that are hard for it, then
// uniform traffic for those that can still win, then the saturation search of the best one, collectives, and uniform
// traffic with links down. Each step is a separate
// experiment with its own folder, so finished runs are stored and never repeated.
import { join } from "node:path"
import { check, run } from "../../api.ts"
import { deadlockComplaints } from "../../inspect/quick-proof.ts"
import {
  bestOf,
  owed,
  patternName,
  patternsOf,
  type Raw,
  routingName,
  screen,
  search,
  type Terms,
  triedOf,
} from "../../inspect/shootout/contest.ts"
import { acceptedOf, type Down, type Dropped, type Rank, rankingOf } from "../../inspect/shootout/ranking.ts"
import type { Chosen } from "../../inspect/shootout/solve.ts"
import {
  type Collective,
  collectiveRun,
  damaged,
  damagedRun,
  nanosecondsOf,
  survivors,
} from "../../inspect/shootout/trials.ts"
import type { RunRecord } from "../../results/record.ts"

export interface Ways {
  /** Results folder of this network. */
  readonly out: string
  readonly workers: number
  readonly signal: AbortSignal
  /** Load at which the energy per bit is computed. */
  readonly load: number
  /** Collectives to run, and their number of ranks. */
  readonly collectives: readonly Collective[]
  readonly ranks: number
  /** Share of links that are down in a further run; 0: no such run. */
  readonly down: number
}

export type Contended =
  | { readonly standing: Rank; readonly runs: number }
  | { readonly says: string; readonly fix: string; readonly runs: number }

/** A complaint about the experiment of a network, which ends its part of the shoot-out. */
class Refused extends Error {
  readonly fix: string
  constructor(says: string, fix: string) {
    super(says)
    this.fix = fix
  }
}

/** Runs the steps of one network. Returns the measured routings, and those that were rejected with the reason. */
export async function contend(chosen: Chosen, terms: Terms, ways: Ways): Promise<Contended> {
  let runs = 0
  const execute = async (raw: Raw, folder: string) => {
    const done = await run(given(raw), { workers: ways.workers, signal: ways.signal, out: join(ways.out, folder) })
    if ("bad" in done) throw new Refused(`${done.bad[0].path}: ${done.bad[0].says}`, done.bad[0].fix)
    runs += done.ok.records.length - done.ok.known
    return done.ok
  }
  try {
    const [uniform, ...hard] = patternsOf(chosen)
    const { possible, dropped } = await feasible(chosen, terms)
    const accepted = acceptedOf((await execute(screen("hard", chosen, terms, possible, hard), "hard")).records)
    const most = chosen.topology.graph.rails
    for (
      let next = owed(triedOf(chosen, accepted), most);
      next !== undefined;
      next = owed(triedOf(chosen, accepted), most)
    ) {
      const routing = possible.find((r) => routingName(r) === next.routing)!
      const { records } = await execute(
        screen("uniform", chosen, terms, [routing], [uniform!]),
        join("uniform", folderOf(next.routing)),
      )
      // The step was interrupted or has no result, so the later steps have no input.
      if (records.length === 0) break
      for (const [name, value] of acceptedOf(records)) accepted.set(name, value)
    }
    const tried = triedOf(chosen, accepted)
    const best = bestOf(tried)
    if (best === undefined) throw new Refused("No routing finished its runs.", "try another engine")
    const is = tried.find((t) => t.routing === best.routing)!
    const easy = await execute(
      search(chosen, terms, best, patternName(uniform!), is.uniform!),
      join("search", "uniform"),
    )
    const worst = await execute(
      search(chosen, terms, best, best.pattern, is.worst),
      join("search", folderOf(best.pattern)),
    )
    const routing = possible.find((r) => routingName(r) === best.routing)!
    const times: Partial<Record<Collective, number>> = {}
    for (const name of ways.collectives) {
      const { records } = await execute(collectiveRun(chosen, terms, routing, name, ways.ranks), join("jobs", name))
      times[name] = records[0] === undefined ? Number.NaN : nanosecondsOf(records[0], "jobs.time")
    }
    const found = {
      best,
      tried,
      dropped,
      collectives: times,
      down: await withLinksDown(chosen, terms, best.routing, ways, execute),
      records: [...easy.records, ...worst.records],
      knees: [...easy.knees, ...worst.knees],
    }
    return { standing: rankingOf(chosen, found, ways.load), runs }
  } catch (e) {
    if (!(e instanceof Refused)) throw e
    return { says: e.message, fix: e.fix, runs }
  }
}

/** Runs uniform traffic with a share of the links down, with the first routing that the damaged network accepts. */
async function withLinksDown(
  chosen: Chosen,
  terms: Terms,
  best: string,
  { down }: Ways,
  execute: (raw: Raw, folder: string) => Promise<{ readonly records: readonly RunRecord[] }>,
): Promise<Down | undefined> {
  if (down === 0) return undefined
  const broken = damaged(chosen, down, terms.seed)
  if ("bad" in broken) return { says: broken.bad[0].says }
  let says = ""
  for (const routing of survivors(chosen, best)) {
    const raw = damagedRun(broken.ok, terms, routing)
    const got = await check(given(raw))
    const bad = "bad" in got ? got.bad : deadlockComplaints(got.ok.runs, got.ok.folder)
    if (bad.length > 0) {
      if (says === "") says = `${routingName(routing)}: ${bad[0].says}`
      continue
    }
    const { records } = await execute(raw, join("down", folderOf(routingName(routing))))
    const accepted = records[0]?.result.values["accepted"]
    if (typeof accepted === "number") return { accepted, routing: routingName(routing) }
  }
  return { says }
}

function folderOf(name: string): string {
  return name.replace(/[^\w.-]+/g, "-")
}

type Given = Parameters<typeof run>[0]

/** Converts data to the type of an experiment. The data are checked like a file, so the cast is safe. */
function given(raw: Raw): Given {
  return raw as Given & Raw
}

/** Returns the routings that the engine accepts on this network, and those that it rejects with its message. */
async function feasible(
  chosen: Chosen,
  terms: Terms,
): Promise<{ possible: Chosen["family"]["routings"]; dropped: readonly Dropped[] }> {
  const possible: Chosen["family"]["routings"][number][] = []
  const dropped: Dropped[] = []
  let fix = "exclude this family with --families"
  for (const routing of chosen.family.routings) {
    const got = await check(given(screen("check", chosen, terms, [routing], patternsOf(chosen).slice(1))))
    const bad = "bad" in got ? got.bad : deadlockComplaints(got.ok.runs, got.ok.folder)
    if (bad.length === 0) possible.push(routing)
    else {
      fix = bad[0].fix
      dropped.push({ routing: routingName(routing), says: `${bad[0].path}: ${bad[0].says}` })
    }
  }
  if (possible.length === 0) throw new Refused(dropped.map((d) => `${d.routing}: ${d.says}`).join("; "), fix)
  return { possible, dropped }
}
