// What the paper leaves open, each over its range, on 64 endpoints: which rows of figures 5.1a and 5.2a (event of 140 us) come out otherwise than with the defaults.
// Not here: injection queues and detection in adapters, which ours does not have (docs/isolation.md).
import { Draws } from "../../core/rng.ts"
import { type Mode, ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { experiment } from "./events.ts"
import { cites, compared, type SchemeName, schemes } from "./network.ts"
import { singleRows } from "./single.ts"
import { uniformExperiment, uniformRows } from "./uniform.ts"

type Keys = Readonly<Record<string, unknown>>

interface Variation {
  readonly name: string
  /** keys of FBICM's switch, of all switches, of the endpoint, of all streams */
  readonly fbicm?: Keys
  readonly all?: Keys
  readonly endpoint?: Keys
  readonly stream?: Keys
  /** other hot sources */
  readonly hot?: readonly number[]
}

/** A quarter of the endpoints, drawn; not the hot one. */
function drawn(): number[] {
  const draws = new Draws(0x686f74)
  const left = Array.from({ length: 64 }, (_, e) => e).filter((e) => e !== 32)
  return Array.from({ length: 16 }, () => left.splice(draws.below(left.length), 1)[0]!).sort((a, b) => a - b)
}

const message = (packets: number): Keys => ({ message: { name: "fixed", size: `${packets}packets` } })

const variations: readonly Variation[] = [
  { name: "stop rule: line", fbicm: { stopRule: "line" } },
  { name: "cascade: off", fbicm: { cascade: false } },
  { name: "stop rule: line, cascade: off", fbicm: { stopRule: "line", cascade: false } },
  { name: "thresholds halved", fbicm: { detect: 4, stop: 4, go: 2 } },
  { name: "thresholds doubled", fbicm: { detect: 16, stop: 16, go: 8 } },
  { name: "static split", fbicm: { split: "static" } },
  { name: "static split, credits of the NFQ", fbicm: { split: "static", credits: "nfq" } },
  { name: "timer 0", fbicm: { timer: "0cycles" } },
  { name: "timer 2 us", fbicm: { timer: "2000cycles" } },
  { name: "messages of 0 B", fbicm: { header: "0flits", each: "0flits" } },
  { name: "messages of 64 B", fbicm: { header: "64flits", each: "0flits" } },
  { name: "hot sources drawn", hot: drawn() },
  { name: "backlog of hot sources without a bound", endpoint: { capped: [] } },
  { name: "three iterations of iSLIP", all: { iterations: 3 } },
  { name: "pipeline of 16 ns", all: { pipeline: "16cycles" } },
  { name: "pipeline of 64 ns", all: { pipeline: "64cycles" } },
  { name: "slots of 64 ns", all: { slot: "64cycles" } },
  { name: "messages of 8 packets", stream: message(8) },
  { name: "messages of 64 packets", stream: message(64) },
]
const base: Variation = { name: "defaults" }

type Experiment = ReturnType<typeof experiment> | ReturnType<typeof uniformExperiment>

function varied(e: Experiment, v: Variation) {
  const network = { ...e.network, switch: { ...e.network.switch, ...v.all }, endpoint: { ...e.network.endpoint, ...v.endpoint } }
  const streams = Array.isArray(e.traffic) ? e.traffic : [e.traffic]
  const from = (name: string, was: unknown): unknown => {
    if (v.hot === undefined || name === "uniform") return was
    return name === "hot" ? v.hot : Array.from({ length: 64 }, (_, i) => i).filter((i) => !v.hot!.includes(i))
  }
  const own = (name: SchemeName): Keys => (name === "FBICM" ? { ...schemes[name], ...v.fbicm } : schemes[name])
  return {
    ...e,
    network,
    traffic: streams.map((s) => ({ ...s, ...v.stream, from: from(s.name, s.from) })),
    variants: Object.fromEntries(compared.map((name) => [name, { network: { switch: own(name) } }])),
  }
}

function planOf(seeds: number): PaperPlan {
  const experiments: Record<string, unknown> = {}
  for (const v of [base, ...variations]) {
    experiments[`event, ${v.name}`] = varied(experiment("single", 3, "quick", compared, seeds), v)
    if (v.hot === undefined && v.endpoint === undefined)
      experiments[`uniform, ${v.name}`] = varied(uniformExperiment(3, [1], [20, 40], seeds), v)
  }
  return { experiments, ...(seeds === 1 ? { scaled: "one seed instead of three" } : {}) }
}

/** Rows of both figures with one set of assumptions; those that are about 256 endpoints or the time after the event are left out. */
function judged(runs: PaperRuns, v: Variation): Row[] {
  const event = singleRows({ single: runs[`event, ${v.name}`] ?? [] }, "quick")
  const uniform = runs[`uniform, ${v.name}`]
  return [...event, ...(uniform === undefined ? [] : uniformRows({ "full-3": uniform }, "quick", 3))].filter((r) => r.pass !== "unchecked")
}

function rows(runs: PaperRuns, _mode: Mode): Row[] {
  const usual = new Map(judged(runs, base).map((r) => [r.claim, r.pass]))
  return variations.map((v) => {
    const changed = judged(runs, v).filter((r) => r.pass !== usual.get(r.claim))
    const named = changed.map((r) => `${r.claim}: ${r.value.toFixed(3)}`).join("; ")
    return ours(
      within({
        claim: `${v.name}: rows that come out otherwise`,
        paper: "",
        value: hasRun(runs, v) ? changed.length : Number.NaN,
        low: 0,
        high: 0,
        note: changed.length === 0 ? "0 = the figures do not depend on it" : named,
      }),
    )
  })
}

const hasRun = (runs: PaperRuns, v: Variation): boolean => (runs[`event, ${v.name}`] ?? []).length > 0

export default {
  id: "fbicm/assumptions",
  number: "Assumptions",
  cites,
  title: "What the paper leaves open, on 64 endpoints",
  claim: "with every assumption over its range the same rows hold as with the defaults",
  quick: planOf(1),
  full: planOf(3),
  rows,
  figures: () => [],
} satisfies PaperFigure
