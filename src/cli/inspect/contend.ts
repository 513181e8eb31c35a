// All runs of one network of a shoot-out: every routing under the patterns that are hard for it, uniform traffic for those that can still win, then the saturation of
// the best. Each step is an experiment of its own, so that finished runs are kept and never run twice.
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
import type { Chosen } from "../../inspect/shootout/solve.ts"
import { acceptedOf, type Dropped, type Standing, standingOf } from "../../inspect/shootout/standing.ts"

export interface Ways {
  /** results folder of this network */
  readonly out: string
  readonly workers: number
  readonly signal: AbortSignal
  /** load at which the energy of a bit is asked for */
  readonly load: number
}

export type Contended =
  | { readonly standing: Standing; readonly runs: number }
  | { readonly says: string; readonly fix: string; readonly runs: number }

/** What ends the contest of a network: a complaint about its experiment. */
class Refused extends Error {
  readonly fix: string
  constructor(says: string, fix: string) {
    super(says)
    this.fix = fix
  }
}

export async function contend(chosen: Chosen, terms: Terms, ways: Ways): Promise<Contended> {
  let runs = 0
  const execute = async (raw: Raw, folder: string) => {
    const done = await run(given(raw), { workers: ways.workers, signal: ways.signal, out: join(ways.out, folder) })
    if ("bad" in done) throw new Refused(`${done.bad[0]!.path}: ${done.bad[0]!.says}`, done.bad[0]!.fix)
    runs += done.ok.records.length - done.ok.known
    return done.ok
  }
  try {
    const [uniform, ...hard] = patternsOf(chosen)
    const { possible, dropped } = await feasible(chosen, terms)
    const accepted = acceptedOf((await execute(screen("hard", chosen, terms, possible, hard), "hard")).records)
    const most = chosen.topology.graph.rails
    for (let next = owed(triedOf(chosen, accepted), most); next !== undefined; next = owed(triedOf(chosen, accepted), most)) {
      const routing = possible.find((r) => routingName(r) === next.routing)!
      const { records } = await execute(screen("uniform", chosen, terms, [routing], [uniform!]), join("uniform", folderOf(next.routing)))
      // interrupted, or it came to no end: there is nothing to go on with
      if (records.length === 0) break
      for (const [name, value] of acceptedOf(records)) accepted.set(name, value)
    }
    const tried = triedOf(chosen, accepted)
    const best = bestOf(tried)
    if (best === undefined) throw new Refused("no routing came to an end", "try another engine")
    const is = tried.find((t) => t.routing === best.routing)!
    const easy = await execute(search(chosen, terms, best, patternName(uniform!), is.uniform!), join("search", "uniform"))
    const worst = await execute(search(chosen, terms, best, best.pattern, is.worst), join("search", folderOf(best.pattern)))
    const found = { best, tried, dropped, records: [...easy.records, ...worst.records], knees: [...easy.knees, ...worst.knees] }
    return { standing: standingOf(chosen, found, ways.load), runs }
  } catch (e) {
    if (!(e instanceof Refused)) throw e
    return { says: e.message, fix: e.fix, runs }
  }
}

function folderOf(name: string): string {
  return name.replace(/[^\w.-]+/g, "-")
}

type Given = Parameters<typeof run>[0]

/** Made of data that is checked like a file: its type says nothing that the check does not. */
function given(raw: Raw): Given {
  return raw as Given & Raw
}

/** Routings that the engine takes on this network, and those that it refuses, with its words. */
async function feasible(chosen: Chosen, terms: Terms): Promise<{ possible: Chosen["family"]["routings"]; dropped: readonly Dropped[] }> {
  const possible: Chosen["family"]["routings"][number][] = []
  const dropped: Dropped[] = []
  let fix = "leave this family out"
  for (const routing of chosen.family.routings) {
    const got = await check(given(screen("check", chosen, terms, [routing], patternsOf(chosen).slice(1))))
    const bad = "bad" in got ? got.bad : deadlockComplaints(got.ok.runs, got.ok.folder)
    if (bad.length === 0) possible.push(routing)
    else {
      fix = bad[0]!.fix
      dropped.push({ routing: routingName(routing), says: `${bad[0]!.path}: ${bad[0]!.says}` })
    }
  }
  if (possible.length === 0) throw new Refused(dropped.map((d) => `${d.routing}: ${d.says}`).join("; "), fix)
  return { possible, dropped }
}
