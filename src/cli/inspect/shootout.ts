// lacewing shootout: which network should be built? Every family at equal endpoints, cost or power, with its best routing, under the traffic that is worst for it.
import { join } from "node:path"
import { type Command, Option } from "commander"
import type { PriceBook } from "../../compile/floor/pricebook.ts"
import { duration } from "../../core/duration.ts"
import type { Engine, Terms } from "../../inspect/shootout/contest.ts"
import { leftOut, untried } from "../../inspect/shootout/families.ts"
import { shootoutPage } from "../../inspect/shootout/page.ts"
import type { Chosen, Equal } from "../../inspect/shootout/solve.ts"
import { withFront } from "../../inspect/shootout/standing.ts"
import { fieldOf } from "../../inspect/shootout/terms.ts"
import { money, percent, type Shootout, shootoutText } from "../../inspect/shootout/text.ts"
import { makeFolder, writeAtomic } from "../../results/disk.ts"
import { Exit, exit, type Io } from "../command.ts"
import { bookOf, withNulls } from "../network-args.ts"
import { allCores, load, share, wholeNumber, workerCount } from "../options.ts"
import { refusePlain } from "../plain.ts"
import { onStop } from "../stops.ts"
import { type Contended, contend } from "./contend.ts"

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
    .option("--load <load>", "load at which the energy of a bit is asked for", load, 0.3)
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
  if (o.dryRun === true) return tellField(chosen, missed, { book, equal: o.equal, budget }, json, io)
  const out = o.out ?? `results/shootout-${o.endpoints}-${o.radix}-${o.equal}${o.engine === "flit" ? "-flit" : ""}`
  const got = await race(chosen, { engine: o.engine, precision: o.precision, seed: o.seed, book }, out, o, io)
  const standings = got.flatMap((g) => ("standing" in g ? [g.standing] : []))
  const failed = [
    ...missed,
    ...got.flatMap((g, i) => ("standing" in g ? [] : [{ family: chosen[i]!.family.name, says: g.says, fix: g.fix }])),
  ]
  const { name, about, currency } = book
  const result: Shootout = {
    terms: { ...pick(o), budget },
    book: { name, about, currency },
    standings: withFront(standings),
    missed: failed,
    out: Object.entries({ ...leftOut, ...untried }).map(([name, says]) => ({ name, says })),
  }
  makeFolder(out)
  writeAtomic(join(out, "shootout.json"), `${withNulls(result)}\n`)
  writeAtomic(join(out, "report.html"), shootoutPage(result))
  if (o.record !== undefined) writeAtomic(o.record, `${JSON.stringify(JSON.parse(withNulls(result)), null, 1)}\n`)
  io.out(json ? withNulls(result) : shootoutText(result, io.paint, io.fits))
  if (!json) io.out(`\n${join(out, "report.html")}\n${join(out, "shootout.json")}`)
}

/** All networks, as many at once as there are workers: a search is one run after the other, and would leave the others idle. */
async function race(chosen: readonly Chosen[], terms: Terms, out: string, o: Options, io: Io): Promise<Contended[]> {
  const stop = new AbortController()
  const off = onStop(() => stop.abort())
  const got: Contended[] = []
  const started = performance.now()
  const spent = () => duration((performance.now() - started) / 1000)
  const lanes = Math.max(1, Math.min(o.workers, chosen.length))
  const workers = Math.max(1, Math.floor(o.workers / lanes))
  let [next, done] = [0, 0]
  const lane = async () => {
    for (let i = next++; i < chosen.length && !stop.signal.aborted; i = next++) {
      // where all runs are known nothing else would let a signal through
      await new Promise(setImmediate)
      const { command, family } = chosen[i]!
      const is = await contend(chosen[i]!, terms, { out: join(out, family.name), workers, signal: stop.signal, load: o.load })
      got[i] = is
      if (!stop.signal.aborted) io.err(io.paint.dim(`${++done} of ${chosen.length}: ${command}, ${is.runs} runs, ${spent()} so far`))
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    off()
  }
  if (stop.signal.aborted) throw new Exit(exit.interrupted, "interrupted: finished runs are kept, the same command goes on from there")
  const { user, system } = process.cpuUsage()
  const runs = got.reduce((n, g) => n + g.runs, 0)
  io.err(io.paint.dim(`${runs} runs in ${spent()}, ${duration((user + system) / 1e6)} of processor time`))
  return got
}

function pick(o: Options): Omit<Shootout["terms"], "budget"> {
  const { endpoints, radix, equal, engine, precision, load, seed } = o
  return { endpoints, radix, equal, engine, precision, load, seed }
}

function tellField(
  chosen: readonly Chosen[],
  missed: Shootout["missed"],
  { book, equal, budget }: { readonly book: PriceBook; readonly equal: string; readonly budget: number | undefined },
  json: boolean,
  io: Io,
): void {
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
    io.out(withNulls({ book: book.name, equal, budget, networks: rows, missed }))
    return
  }
  const goal = budget === undefined ? "" : ` of ${money(budget)} ${equal === "power" ? "W" : book.currency}`
  io.out(io.paint.dim(`equal ${equal}${goal}, price book ${book.name}`))
  for (const r of rows) {
    const paid = `${money(r.price)} ${book.currency}${r.watts === undefined ? "" : `, ${money(r.watts)} W`}`
    io.out(
      `${r.network}: ${percent(r.miss)} off, ${r.endpoints} endpoints, ${r.routers === 1 ? "1 router" : `${r.routers} routers`} of ${r.radix} ports, ${paid}, bears ${r.carries.toFixed(2)} uniformly`,
    )
  }
  for (const m of missed) io.out(io.paint.yellow(`${m.family} ${m.says}; ${m.fix}`))
}
