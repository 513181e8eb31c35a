// lacewing shootout: compares network families at equal endpoints, cost or power. Each family uses its best routing and
// is measured under uniform traffic and under its worst pattern. contend.ts runs one network.
import { join } from "node:path"
import { type Command, InvalidArgumentError, Option } from "commander"
import { books, type PriceBook } from "../../compile/floor/pricebook.ts"
import { duration } from "../../core/duration.ts"
import { counted } from "../../core/wording.ts"
import type { Engine, Terms } from "../../inspect/shootout/contest.ts"
import { criteriaOf, winnersOf } from "../../inspect/shootout/criteria.ts"
import { leftOut, untried } from "../../inspect/shootout/left-out.ts"
import { shootoutPage } from "../../inspect/shootout/page.ts"
import { withFront } from "../../inspect/shootout/ranking.ts"
import type { Chosen, Equal } from "../../inspect/shootout/solve.ts"
import { fieldOf } from "../../inspect/shootout/terms.ts"
import { money, percent, type Shootout, shootoutText } from "../../inspect/shootout/text.ts"
import { type Collective, collectives, ranksOf } from "../../inspect/shootout/trials.ts"
import { makeFolder, writeAtomic } from "../../results/disk.ts"
import { Exit, exit, type Io, interruptedText } from "../command.ts"
import { describe, listOf, renamedOption } from "../help.ts"
import { bookOf, withNulls } from "../network-args.ts"
import { load, share, wholeNumber, workersOption } from "../options.ts"
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
  readonly prices?: string
  readonly load: number
  readonly precision: number
  readonly seed: number
  readonly workloads: readonly Collective[]
  readonly down: number
  readonly workers: number
  readonly out?: string
  readonly record?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "Each family takes part with its best routing. Measurements: uniform traffic, its worst pattern, collectives, and uniform traffic with links down.",
    examples: [
      "lacewing shootout --dry-run",
      "lacewing shootout --endpoints 1024 --radix 32 --families torus,dragonfly,slimfly",
      "lacewing shootout --equal cost --prices fitfly-edr",
    ],
    exits: { 130: "interrupted" },
  })
  command
    .optionsGroup("Networks")
    .option("--endpoints <n>", "Number of endpoints of every network", wholeNumber, 4096)
    .option("--radix <n>", "Maximum number of router ports", wholeNumber, 64)
    .addOption(
      new Option("--equal <quantity>", "Quantity that is equal for all networks")
        .choices(["endpoints", "cost", "power"])
        .default("endpoints"),
    )
    .option(
      "--budget <n>",
      "Price or watts of each network (default: the median of all families at equal endpoints)",
      share,
    )
    .option("--tolerance <fraction>", "Maximum relative deviation from the target", share, 0.1)
    .addOption(
      new Option("--families <list>", "Only these families, separated by commas")
        .argParser((text) => text.split(",").map((s) => s.trim()))
        .default(undefined, "all"),
    )
    .option(
      "--prices <name or file>",
      `Price list: ${listOf(books.map((b) => b.name))}, or a file (default: by-length)`,
    )
    .optionsGroup("Measurement")
    .addOption(new Option("--engine <name>", "Engine of the simulations").choices(["packet", "flit"]).default("packet"))
    .option("--load <load>", "Load at which the energy per bit is measured", load, 0.3)
    .option("--precision <fraction>", "Relative precision of the saturation load", share, 0.05)
    .option("--seed <n>", "Seed of all runs", wholeNumber, 1)
    .addOption(
      new Option("--workloads <list>", `Collectives to run, separated by commas: ${collectives.join(", ")}, or none`)
        .argParser(collectiveList)
        .default(collectives, collectives.join(",")),
    )
    .option("--down <fraction>", "Share of links that are down in a further run; 0 skips it", shareOrNone, 0.05)
    .addOption(workersOption())
    .option("--dry-run", "List the networks that would take part, then stop")
    .optionsGroup("Output")
    .option("--out <folder>", "Results folder (default: results/shootout-N-RADIX-EQUAL)")
    .option("--record <file>", "Also write the outcome to this JSON file")
    .option("--json", "Print one JSON object")
    .action((o: Options) => shootoutCommand(o, io))
  renamedOption(command, "book", "prices", io)
}

async function shootoutCommand(o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const book = bookOf({ prices: o.prices ?? "by-length" }, io)!
  const field = fieldOf({ ...o, book })
  if ("bad" in field) refusePlain(field.bad, io, json)
  const { chosen, missed, budget } = field.ok
  if (o.dryRun === true) return tellField(chosen, missed, { book, equal: o.equal, budget }, json, io)
  const out = o.out ?? `results/shootout-${o.endpoints}-${o.radix}-${o.equal}${o.engine === "flit" ? "-flit" : ""}`
  const got = await race(chosen, { engine: o.engine, precision: o.precision, seed: o.seed, book }, out, o, io)
  const standings = got.flatMap((g) => ("standing" in g ? [g.standing] : []))
  const failed = [
    ...missed,
    ...got.flatMap((g, i) => ("standing" in g ? [] : [{ family: chosen[i].family.name, says: g.says, fix: g.fix }])),
  ]
  const { name, about, currency } = book
  const result: Shootout = {
    terms: { ...pick(o), ranks: ranksOf(o.endpoints, o.tolerance), budget },
    book: { name, about, currency },
    standings: withFront(standings),
    winners: winnersOf(standings, criteriaOf(currency, o.down), o.precision),
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

/**
 * Runs all networks, as many concurrently as there are workers. The steps of one network are sequential (a search needs
 * the previous result), so one network alone would leave workers idle.
 */
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
      // Without this pause, a network whose runs are all stored would never let the event loop deliver a signal.
      await new Promise(setImmediate)
      const { command, family } = chosen[i]
      const is = await contend(chosen[i], terms, {
        out: join(out, family.name),
        workers,
        signal: stop.signal,
        load: o.load,
        collectives: o.workloads,
        ranks: ranksOf(o.endpoints, o.tolerance),
        down: o.down,
      })
      got[i] = is
      if (!stop.signal.aborted)
        io.err(
          io.paint.dim(`${++done} of ${chosen.length} done: ${command}, ${counted(is.runs, "run")}, ${spent()} so far`),
        )
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    off()
  }
  if (stop.signal.aborted) throw new Exit(exit.interrupted, interruptedText)
  const { user, system } = process.cpuUsage()
  const runs = got.reduce((n, g) => n + g.runs, 0)
  io.err(io.paint.dim(`${counted(runs, "run")} in ${spent()}, ${duration((user + system) / 1e6)} of CPU time`))
  return got
}

function pick(o: Options): Omit<Shootout["terms"], "budget" | "ranks"> {
  const { endpoints, radix, equal, engine, precision, load, seed, tolerance, down } = o
  return { endpoints, radix, equal, engine, precision, load, seed, tolerance, down }
}

/** Parses a list of collectives; "none" is the empty list. */
function collectiveList(text: string): readonly Collective[] {
  if (text === "none") return []
  const wanted = text.split(",").map((s) => s.trim())
  const wrong = wanted.find((w) => !collectives.some((c) => c === w))
  if (wrong !== undefined) throw new InvalidArgumentError(`Choose ${collectives.join(", ")}, or none.`)
  return collectives.filter((c) => wanted.includes(c))
}

function shareOrNone(text: string): number {
  const n = Number(text)
  return n === 0 ? 0 : load(text)
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
  io.out(io.paint.dim(`Equal ${equal}${goal}, price list ${book.name}`))
  for (const r of rows) {
    const paid = `${money(r.price)} ${book.currency}${r.watts === undefined ? "" : `, ${money(r.watts)} W`}`
    io.out(
      `${r.network}: ${percent(r.miss)} from the target, ${counted(r.endpoints, "endpoint")}, ${counted(r.routers, "router")} with ${counted(r.radix, "port")}, ${paid}, sustains at most ${r.carries.toFixed(2)} under uniform traffic (bound)`,
    )
  }
  for (const m of missed) io.out(io.paint.yellow(`${m.family} ${m.says}; ${m.fix}`))
}
