// Rows of figures 5.1a and 5.2a (event of 140 us) on 64 endpoints with other assumptions than the defaults: which of
// them come out otherwise.
import { packaged } from "../data/packaged.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, sensitivity, within } from "../paper.ts"
import { experiment } from "./events.ts"
import { cites, compared, measured, type SchemeName, schemes, stream, treeNetwork, variantsOf } from "./network.ts"
import { singleRows } from "./single.ts"

export type Keys = Readonly<Record<string, unknown>>

export interface Variation {
  readonly name: string
  /** keys of FBICM's switch and endpoint, of all switches, of all endpoints, of all streams */
  readonly fbicm?: Keys
  readonly fbicmEndpoint?: Keys
  readonly all?: Keys
  readonly endpoint?: Keys
  readonly stream?: Keys
  /** other hot sources */
  readonly hot?: readonly number[]
}

/** The rows of uniform traffic that this file judges are those of figure 5.1a. */
const uniformFigure = packaged("fbicm/fig5.1a")

function uniformExperiment(seeds: number) {
  return {
    lacewing: 1,
    title: "uniform traffic, 64 endpoints",
    network: treeNetwork(3),
    traffic: stream("uniform", 1),
    measure: measured(20, 40),
    variants: variantsOf(compared),
    sweep: { "traffic.load": [1] },
    seeds,
  }
}

const defaults: Variation = { name: "defaults" }

type Experiment = ReturnType<typeof experiment> | ReturnType<typeof uniformExperiment>

function varied(e: Experiment, v: Variation) {
  const network = {
    ...e.network,
    switch: { ...e.network.switch, ...v.all },
    endpoint: { ...e.network.endpoint, ...v.endpoint },
  }
  const streams = Array.isArray(e.traffic) ? e.traffic : [e.traffic]
  const from = (name: string, was: unknown): unknown => {
    if (v.hot === undefined || name === "uniform") return was
    return name === "hot" ? v.hot : Array.from({ length: 64 }, (_, i) => i).filter((i) => !v.hot!.includes(i))
  }
  const own = (name: SchemeName): Keys => {
    if (name !== "FBICM") return { switch: schemes[name] }
    const endpoint = v.fbicmEndpoint === undefined ? {} : { endpoint: { ...network.endpoint, ...v.fbicmEndpoint } }
    return { switch: { ...schemes[name], ...v.fbicm }, ...endpoint }
  }
  return {
    ...e,
    network,
    traffic: streams.map((s) => ({ ...s, ...v.stream, from: from(s.name, s.from) })),
    variants: Object.fromEntries(compared.map((name) => [name, { network: own(name) }])),
  }
}

/** The capped backlog of the event is not that of uniform traffic. */
const ofEventAlone = (v: Variation): boolean =>
  v.hot !== undefined || (v.endpoint !== undefined && "capped" in v.endpoint)

function planOf(variations: readonly Variation[], base: Variation, seeds: number): PaperPlan {
  const experiments: Record<string, unknown> = {}
  for (const v of [base, ...variations]) {
    experiments[`event, ${v.name}`] = varied(experiment("single", 3, "quick", compared, seeds), v)
    if (!ofEventAlone(v)) experiments[`uniform, ${v.name}`] = varied(uniformExperiment(seeds), v)
  }
  return { experiments, ...(seeds === 1 ? { scaled: "one seed instead of three" } : {}) }
}

/** Rows of both figures with one set of assumptions; those that are about 256 endpoints or the time after the event are
 *  left out. */
function judged(runs: PaperRuns, v: Variation): Row[] {
  const event = singleRows({ single: runs[`event, ${v.name}`] ?? [] }, "quick")
  const uniform = runs[`uniform, ${v.name}`]
  return [
    ...event,
    ...(uniform === undefined ? [] : uniformFigure.rows({ "full-3": uniform }, "quick", () => Number.NaN)),
  ].filter((r) => r.pass !== "unchecked")
}

function rowsOf(variations: readonly Variation[], base: Variation, runs: PaperRuns): Row[] {
  const usual = new Map(judged(runs, base).map((r) => [r.claim, r.pass]))
  return variations.map((v) => {
    const changed = judged(runs, v).filter((r) => r.pass !== usual.get(r.claim))
    const named = changed.map((r) => `${r.claim}: ${r.value.toFixed(3)}`).join("; ")
    return sensitivity(
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

export function assumptionFigure(
  { id, title }: Pick<PaperFigure, "id" | "title">,
  variations: readonly Variation[],
  base = defaults,
): PaperFigure {
  return {
    ...{ id, number: "Assumptions", cites, title },
    claim: "with every assumption over its range the same rows hold as with the defaults",
    quick: planOf(variations, base, 1),
    full: planOf(variations, base, 3),
    rows: (runs: PaperRuns, _mode: Mode) => rowsOf(variations, base, runs),
    figures: () => [],
  }
}
