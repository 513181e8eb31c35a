// Every row of every paper can fail: rows are evaluated on made-up measurements, and one that agrees with all of them
// measures nothing.
import { describe, expect, test } from "vitest"
import { Draws } from "../../core/rng.ts"
import { quantity } from "../../core/units.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import { papers } from "./index.ts"
import { claimsOf, type Mode, type PaperFigure, type PaperRuns, type Row, readerOf, wordOf } from "./paper.ts"
import { hotRouter, netOf } from "./stashing/hotspots.ts"

const modesOf = (figure: PaperFigure): Mode[] =>
  (figure.quick ?? figure.full) === undefined
    ? ["full"]
    : (["quick", "full"] as const).filter((mode) => figure[mode] !== undefined)
const forms = papers.flatMap((figure) => modesOf(figure).map((mode) => [figure.id, mode, figure] as const))
/** Rows whose word must be earned: agreement, a misprint and a check of our own each need something measured. A sweep of
 *  an assumption is never a failure. */
const judged = (row: Row): boolean =>
  row.kind !== "definition" && row.kind !== "sensitivity" && row.pass !== "unchecked"

/** An object that answers every name, always the same for the same name. */
function answering<T>(made: (name: string) => T, known: Readonly<Record<string, T>> = {}): Record<string, T> {
  const asked = new Map<string | symbol, T>(Object.entries(known))
  return new Proxy<Record<string, T>>(
    {},
    {
      get(_, name) {
        if (!asked.has(name)) asked.set(name, made(String(name)))
        return asked.get(name)
      },
    },
  )
}

type Planned = Pick<PaperRuns[string][number], "hash" | "spec" | "point" | "seed">
function plannedRuns(figure: PaperFigure, mode: Mode): Record<string, readonly Planned[]> {
  return Object.fromEntries(
    Object.entries(figure[mode]?.experiments ?? {}).map(([name, experiment]) => {
      const planned = plan({ source: plainSource(name, experiment), host: hostAt("."), name })
      if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
      // as on a machine with the cores that a row may ask for
      return [
        name,
        planned.ok.runs.map((r) => ({ ...r, spec: { ...r.spec, engine: { ...r.spec.engine, workers: 24 } } })),
      ]
    }),
  )
}

function nanoseconds(text: string): number {
  const n = quantity(text, "cycles", { cycle: 1000, flit: 8 })
  return typeof n === "number" && n > 0 ? n : 90_000
}

/** Runs that measured anything: values over four decades, at a level of their own for each number. */
function madeUp(planned: Record<string, readonly Planned[]>, mode: Mode, number: number): PaperRuns {
  const draws = new Draws(number).at(0, 0)
  const any = (): number => 10 ** (4 * draws.unit() - 2 - (number % 7))
  const intervals = Array.from({ length: 90 }, (_, i) => i)
  // jobs that end, and in some measurements jobs that are stopped
  const ended = number % 3 === 0 ? 0.5 : 1
  const hot = hotRouter(netOf(mode))
  const router = intervals.map(() => hot)
  // the intervals of a table cover the run, whatever its length
  const known = (limit: string) => ({
    time: intervals.map((i) => (nanoseconds(limit) / 90) * (i + 1)),
    router,
  })
  const provenance = { version: "", node: "", host: "", started: "", seconds: 1 }
  return Object.fromEntries(
    Object.entries(planned).map(([name, runs]) => [
      name,
      runs.map(({ hash, spec, point, seed }) => {
        const offered = spec.traffic.reduce((sum, t) => sum + t.load, 0)
        const values = answering(any, { offered, "jobs.ended": ended })
        const tables = answering(() => answering(() => intervals.map(any), known(spec.measure.limit)))
        return {
          hash,
          spec,
          point,
          seed,
          provenance,
          result: { why: "limit", explains: "", fingerprint: `${any()}`, values, tables } as const,
        }
      }),
    ]),
  )
}

/** The rows on made-up measurements: of runs, or of one number at a time that was read off the model. */
function evaluations(figure: PaperFigure, mode: Mode): (readonly Row[])[] {
  if (figure.inspect === undefined) {
    const planned = plannedRuns(figure, mode)
    return Array.from({ length: 21 }, (_, i) => figure.rows(madeUp(planned, mode, i), mode, readerOf({})))
  }
  // names are asked for, values are 1: what a module reads needs no model here
  const names = new Set<string>()
  figure.rows({}, mode, (name) => {
    names.add(name)
    return 1
  })
  return [...names].flatMap((of) =>
    [0, 0.5, 1e6 + 1].map((v) => figure.rows({}, mode, (name) => (name === of ? v : 1))),
  )
}

/** Loads between the judged ones, as fractions of the link that loads refer to. */
const between = {
  amg: [0.025, 0.05, 0.1, 0.15, 0.3, 0.45],
  multigrid: [0.025, 0.05, 0.1, 0.3, 0.45],
  equal: [0.025, 0.05, 0.1, 0.15, 0.3, 0.45, 0.6],
}

/** Runs at these loads; `factor`: link that loads refer to over the link of the network. */
function besides(id: string, name: string, limit: string, loads: readonly number[], factor = 1) {
  const why = "loads between those at which times are judged: drawn, and the order of mean hops is taken from them"
  return Object.fromEntries(
    loads.map((load) => [`${id} ${name}-${Number((load * factor).toFixed(6))}-${limit}-x1`, why]),
  )
}

/** Four networks of equal links. */
function fourNetworks(id: string, app: "amg" | "multigrid", limit: string): Record<string, string> {
  const nets = ["slim-fly", "fit-fly", "dragonfly", "megafly"]
  return Object.assign({}, ...nets.map((net) => besides(id, `${app}-${net}-12.5`, limit, between[app])))
}

/** Slim Fly and Fit Fly of other links, also with the rules of lacewing. */
function twoNetworks(id: string, app: string, limit: string, slim: number, fit: number): Record<string, string> {
  const runs = (name: string, factor: number) => ({
    ...besides(id, name, limit, between.equal, factor),
    [`${id} ours-${name}-${Number((0.725 * factor).toFixed(6))}-${limit}-x1`]:
      "rules of lacewing, drawn next to the judged runs",
  })
  return { ...runs(`${app}-slim-fly-${slim}`, 1), ...runs(`${app}-fit-fly-${fit}`, slim / fit) }
}

/** Runs that are stopped at a limit. */
function stopped(app: string, limit: string): Record<string, string> {
  const why = "minutes each, stopped at a limit: what is judged is that they had not ended"
  return Object.fromEntries(
    ["dragonfly", "megafly"].map((net) => [`fitfly/table3 ${app}-${net}-12.5-0.725-${limit}-x1`, why]),
  )
}

/** Fewer than three seeds at the paper's size, each for its reason. */
const fewSeeds = {
  ...fourNetworks("fitfly/fig4", "amg", "15ms"),
  ...fourNetworks("fitfly/fig5", "multigrid", "25ms"),
  ...twoNetworks("fitfly/fig6", "amg", "15ms", 12.5, 7),
  ...twoNetworks("fitfly/fig7", "multigrid", "25ms", 12.5, 7),
  ...twoNetworks("fitfly/fig8", "amg", "15ms", 25, 12.5),
  ...twoNetworks("fitfly/fig9", "multigrid", "15ms", 25, 12.5),
  ...stopped("amg", "40ms"),
  ...stopped("multigrid", "50ms"),
  "fitfly/table3 shipped-amg-dragonfly-12.5-1.45-40ms-x1": "links of another file, drawn with the judged runs",
  "fbicm/fig5.1a curve-3": "below saturation, drawn with the judged runs at load 1",
  "fbicm/fig5.1b curve-4": "below saturation, drawn with the judged runs at load 1",
  "stashing/fig5a curve": "below saturation: a million packets each",
  "stashing/fig5b curve": "below saturation: a million packets each",
  "stashing/fig6 bigfft-longer": "the judged row once more, with longer messages",
  "stashing/fig6 fill-boundary-longer": "the judged row once more, with longer messages",
  "stashing/assumptions judged": "its first seed, beside sweeps of one seed",
  "stashing/assumptions each-2": "a sweep of an assumption, not judged",
  "stashing/assumptions each-4": "a sweep of an assumption, not judged",
  "stashing/assumptions each-6": "a sweep of an assumption, not judged",
  "stashing/assumptions direct": "a sweep of an assumption, not judged",
  "stashing/assumptions tile-buffers": "a sweep of an assumption, not judged",
  "stashing/assumptions round-trip": "a sweep of an assumption, not judged",
  "cbcm/fig8a min": "minimal routing, drawn with the judged runs",
}

test("what is judged at the paper's size has at least three seeds; run times have none", () => {
  const few = papers
    .filter((figure) => figure.id !== "fitfly/fig10")
    .flatMap((figure) =>
      Object.entries(plannedRuns(figure, "full"))
        .filter(([, runs]) => new Set(runs.map((r) => r.seed)).size < 3)
        .map(([name]) => `${figure.id} ${name}`),
    )
  expect(few).toEqual(Object.keys(fewSeeds))
})

describe.each(forms)("%s %s", (_id, mode, figure) => {
  const claims = claimsOf(figure, mode)
  const all = evaluations(figure, mode)

  test("no row agrees before anything was measured: what does is a definition", () => {
    const unearned = claims.filter((r) => r.pass === true).map((r) => [r.claim, wordOf(r)])
    expect(unearned.filter(([, word]) => word !== "definition")).toEqual([])
  })
  test("every other row fails for some measurement, with a number that was measured", () => {
    const never = claims.filter(
      (c, i) => judged(c) && !all.some((rows) => rows[i].pass === false && Number.isFinite(rows[i].value)),
    )
    expect(never.map((r) => r.claim)).toEqual([])
  })
  test("claims, bounds and kinds do not follow from what is measured", () => {
    const fixed = (rows: readonly Row[]) => rows.map((r) => (judged(r) ? [r.claim, r.kind, r.low, r.high] : r.claim))
    for (const rows of all) expect(fixed(rows)).toEqual(fixed(claims))
  })
  test("bounds hold the paper's own number; where they do not, the row is a misprint or a definition", () => {
    const beside = claims.filter(
      (r) => judged(r) && typeof r.paper === "number" && !(r.low <= r.paper && r.paper <= r.high),
    )
    expect(beside.filter((r) => r.kind !== "misprint").map((r) => r.claim)).toEqual([])
  })
})
