// lacewing shootout: which network should be built? Every family at equal endpoints, cost or power, with its best routing, under the traffic that is worst for it.
import { join } from "node:path"
import { type Command, Option } from "commander"
import { check, run } from "../../api.ts"
import type { PriceBook } from "../../compile/floor/pricebook.ts"
import { duration } from "../../core/duration.ts"
import { bestOf, type Engine, type Raw, screen, search, type Terms } from "../../inspect/shootout/contest.ts"
import { shootoutPage } from "../../inspect/shootout/page.ts"
import type { Chosen, Equal } from "../../inspect/shootout/solve.ts"
import { acceptedOf, type Standing, standingOf, withFront } from "../../inspect/shootout/standing.ts"
import { fieldOf } from "../../inspect/shootout/terms.ts"
import { type Shootout, shootoutText } from "../../inspect/shootout/text.ts"
import { makeFolder, writeAtomic } from "../../results/disk.ts"
import { Exit, exit, type Io } from "../command.ts"
import { bookOf, withNulls } from "../network-args.ts"
import { allCores, share, wholeNumber, workerCount } from "../options.ts"
import { refusePlain } from "../plain.ts"
import { onStop } from "../stops.ts"

interface Options {
  readonly endpoints: number
  readonly radix: number
  readonly equal: Equal
  readonly budget?: number
  readonly tolerance: number
  readonly families?: readonly string[]
  readonly engine: Engine
  readonly book?: string
  readonly load: number
  readonly precision: number
  readonly seed: number
  readonly workers: number
  readonly out?: string
  readonly record?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export default function (command: Command, io: Io): void {
  command
    .option("--endpoints <n>", "endpoints that every network should have", wholeNumber, 4096)
    .option("--radix <n>", "most ports of a router", wholeNumber, 64)
    .addOption(new Option("--equal <what>", "what all networks have alike").choices(["endpoints", "cost", "power"]).default("endpoints"))
    .option("--budget <n>", "price or watts of each network (default: the median of those of equal endpoints)", share)
    .option("--tolerance <share>", "how far from the goal a network may be", share, 0.1)
    .option("--families <list>", "only these, with commas between them", (text) => text.split(",").map((s) => s.trim()))
    .addOption(new Option("--engine <name>", "engine that finds the saturation").choices(["packet", "flit"]).default("packet"))
    .option("--book <name or file>", "price book: by-length (default), fitfly-edr, fitfly-fdr, or a YAML or JSON file")
    .option("--load <load>", "load at which the energy of a bit is asked for", share, 0.3)
    .option("--precision <share>", "of the saturation", share, 0.05)
    .option("--seed <n>", "seed of all runs", wholeNumber, 1)
    .option("--workers <n>", "runs at the same time", workerCount, allCores)
    .option("--out <folder>", "results folder (default: results/shootout-N-RADIX-EQUAL); finished runs are never run twice")
    .option("--record <file>", "keep what came out, as JSON")
    .option("--dry-run", "say which networks would take part, and stop")
    .option("--json", "print one JSON object")
    .action((o: Options) => shootoutCommand(o, io))
}

async function shootoutCommand(o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const book = bookOf({ book: o.book ?? "by-length" }, io)!
  const field = fieldOf({ ...o, book })
  if ("bad" in field) refusePlain(field.bad, io, json)
  const { chosen, missed, budget } = field.ok
  const terms: Shootout["terms"] = { ...pick(o), budget }
  if (o.dryRun === true) return tellField(chosen, missed, book, json, io)
  const out = o.out ?? `results/shootout-${o.endpoints}-${o.radix}-${o.equal}${o.engine === "flit" ? "-flit" : ""}`
  const stop = new AbortController()
  const off = onStop(() => stop.abort())
  const standings: Standing[] = []
  const failed = [...missed]
  const started = performance.now()
  try {
    for (const [i, one] of chosen.entries()) {
      const got = await contend(
        one,
        { engine: o.engine, precision: o.precision, seed: o.seed, book },
        join(out, one.family.name),
        o,
        stop.signal,
      )
      if (stop.signal.aborted) throw new Exit(exit.interrupted, "interrupted: finished runs are kept, the same command goes on from there")
      if ("says" in got) failed.push({ family: one.family.name, ...got })
      else standings.push(got.standing)
      const runs = "says" in got ? 0 : got.runs
      io.err(
        io.paint.dim(
          `${i + 1} of ${chosen.length}: ${one.command}, ${runs} runs, ${duration((performance.now() - started) / 1000)} so far`,
        ),
      )
    }
  } finally {
    off()
  }
  const { name, about, currency } = book
  const result: Shootout = { terms, book: { name, about, currency }, standings: withFront(standings), missed: failed }
  makeFolder(out)
  writeAtomic(join(out, "shootout.json"), `${withNulls(result)}\n`)
  writeAtomic(join(out, "report.html"), shootoutPage(result))
  if (o.record !== undefined) writeAtomic(o.record, `${JSON.stringify(JSON.parse(withNulls(result)), null, 1)}\n`)
  io.out(json ? withNulls(result) : shootoutText(result, io.paint, io.fits))
  if (!json) io.out(`\n${join(out, "report.html")}\n${join(out, "shootout.json")}`)
}

function pick(o: Options): Omit<Shootout["terms"], "budget"> {
  const { endpoints, radix, equal, engine, precision, load, seed } = o
  return { endpoints, radix, equal, engine, precision, load, seed }
}

/** All runs of one network: its routings, then the saturation of the best. */
async function contend(
  chosen: Chosen,
  terms: Terms,
  out: string,
  o: Options,
  signal: AbortSignal,
): Promise<{ readonly standing: Standing; readonly runs: number } | { readonly says: string; readonly fix: string }> {
  const options = { workers: o.workers, signal }
  const possible = await feasible(screen(chosen, terms))
  if ("bad" in possible) return possible.bad
  const first = await run(given(possible.ok), { ...options, out: join(out, "screen") })
  if ("bad" in first) return { says: `${first.bad[0]!.path}: ${first.bad[0]!.says}`, fix: first.bad[0]!.fix }
  const screened = acceptedOf(first.ok.records)
  const best = bestOf(chosen, screened)
  if (best === undefined) return { says: "no routing came to an end", fix: "try another engine" }
  const second = await run(given(search(chosen, terms, best)), { ...options, out: join(out, "search") })
  if ("bad" in second) return { says: `${second.bad[0]!.path}: ${second.bad[0]!.says}`, fix: second.bad[0]!.fix }
  const runs = [first.ok, second.ok].reduce((n, done) => n + done.records.length - done.known, 0)
  return { standing: standingOf(chosen, { best, screened, records: second.ok.records, knees: second.ok.knees }, o.load), runs }
}

type Given = Parameters<typeof run>[0]

/** Made of data that is checked like a file: its type says nothing that the check does not. */
function given(raw: Raw): Given {
  return raw as Given & Raw
}

/** The same without the cases that the engine refuses; all refused: why. */
async function feasible(raw: Raw): Promise<{ ok: Raw } | { bad: { says: string; fix: string } }> {
  const cases = Object.entries(raw["variants"] as Record<string, Raw>)
  const kept: [string, Raw][] = []
  let why = { says: "has no routing", fix: "leave this family out" }
  for (const [name, keys] of cases) {
    const got = await check(given({ ...raw, variants: { [name]: keys } }))
    if ("ok" in got) kept.push([name, keys])
    else why = { says: `${got.bad[0]!.path}: ${got.bad[0]!.says}`, fix: got.bad[0]!.fix }
  }
  return kept.length === 0 ? { bad: why } : { ok: { ...raw, variants: Object.fromEntries(kept) } }
}

function tellField(chosen: readonly Chosen[], missed: Shootout["missed"], book: PriceBook, json: boolean, io: Io): void {
  const rows = chosen.map((c) => ({
    network: c.command,
    endpoints: c.topology.graph.ends,
    routers: c.topology.graph.routers,
    radix: c.member.radix,
    carries: c.member.carries,
    miss: c.miss,
    price: c.cost.total.price,
    watts: c.cost.total.watts,
  }))
  if (json) {
    io.out(withNulls({ book: book.name, networks: rows, missed }))
    return
  }
  io.out(io.paint.dim(`price book ${book.name}`))
  for (const r of rows)
    io.out(
      `${r.network}: ${r.endpoints} endpoints, ${r.routers} routers of ${r.radix} ports, ${Math.round(r.price).toLocaleString("en")} ${book.currency}, bears ${r.carries.toFixed(2)} uniformly`,
    )
  for (const m of missed) io.out(io.paint.yellow(`${m.family} ${m.says}; ${m.fix}`))
}
