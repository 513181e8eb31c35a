// Where does the network saturate? Bisection on the offered load instead of a grid by hand: every run halves the interval around the knee.
// A load is beyond the knee when the run is saturated, or its mean latency exceeds `latency` times the latency of the first load, or the network failed at it:
// it stood still, or gave packets up.
import { type Complaint, complain } from "../core/complaint.ts"
import { type LoadState, loadState } from "../core/saturation.ts"
import { fraction, maybe, real, schema } from "../core/schema.ts"
import { kindOf } from "../core/units.ts"
import type { RunResult } from "../model/experiment.ts"
import { valueIn } from "../model/missing.ts"
import { isMap } from "./fields.ts"

export interface SaturationSearch {
  readonly from: number
  readonly to: number
  readonly precision: number
  readonly latency: number
  /** where the knee is expected; absent: nowhere */
  readonly near?: number | undefined
}

/** As many rails as a load of traffic may fill. */
export const MOST_LOAD = 64

export const searchKeys = schema({
  from: fraction({ about: "lowest load, below saturation for sure: its latency is the yardstick", above: 0, default: 0.05 }),
  to: fraction({ about: "highest load that is tried; above 1 for several rails", above: 0, max: MOST_LOAD, default: 1 }),
  precision: fraction({
    about: "the knee is known when the interval around it is this narrow, relative to the knee",
    above: 0,
    max: 0.5,
    default: 0.01,
  }),
  latency: real({ about: "mean latency beyond this many times that of the lowest load counts as saturated", above: 1, default: 3 }),
  near: maybe(
    fraction({
      about: "load at which the knee is expected: the search begins there instead of at `to`, and looks up or down in growing steps",
      above: 0,
      max: MOST_LOAD,
      needed: false,
    }),
  ),
})

export function searchOf(raw: unknown, bad: Complaint[]): SaturationSearch | undefined {
  if (raw === undefined || raw === null) return undefined
  const given = typeof raw === "string" ? { name: raw } : raw
  if (!isMap(given) || given["name"] !== "saturation") {
    bad.push(
      complain("search", `expected the name of a search, found ${kindOf(isMap(given) ? given["name"] : raw)}`, "write search: saturation"),
    )
    return undefined
  }
  const { name: _, ...params } = given
  const got = searchKeys.parse(params, "search")
  if ("bad" in got) {
    bad.push(...got.bad)
    return undefined
  }
  const { from, to, near } = got.ok
  if (to <= from) bad.push(complain("search.to", `${to} is not above ${from}, where the search starts`, "choose from below to"))
  else if (near !== undefined && (near <= from || near > to))
    bad.push(complain("search.near", `${near} is not between ${from} and ${to}, where the search looks`, "choose it between from and to"))
  else return got.ok
  return undefined
}

/** Why a load is not carried: saturated, too slow, or the network failed. */
export type Beyond = Exclude<LoadState, "carried"> | "latency"

/** One search: ask next() for loads, tell it the results. Pure, so that a stored run answers without being run again. */
export class Bisection {
  private readonly search: SaturationSearch
  private low: number
  private high: number
  private yardstick: number | undefined
  private why: Beyond | undefined
  private stage: "first" | "last" | "near" | "inside" | "done" = "first"
  /** while the knee is looked for around the load where it is expected */
  private at = 0
  private step = 0
  constructor(search: SaturationSearch) {
    this.search = search
    this.low = search.from
    this.high = search.to
  }
  /** the load to run next, or undefined when the knee is known */
  next(): number | undefined {
    if (this.stage === "first") return this.search.from
    if (this.stage === "last") return this.search.to
    if (this.stage === "near") return this.at
    return this.stage === "done" ? undefined : this.middle
  }
  tell(load: number, result: RunResult): void {
    const latency = valueIn(result, "latency.mean")
    const why = this.beyond(result, latency)
    // the lowest load at which a packet was measured
    this.yardstick ??= latency
    if (why !== undefined) {
      this.high = load
      this.why = why
    }
    if (this.stage === "first") {
      this.stage = why !== undefined ? "done" : this.search.near === undefined ? "last" : "near"
      // nothing is known to be carried
      if (why !== undefined) this.low = 0
      this.at = rounded(this.search.near ?? 0)
      this.step = 1 + 2 * this.search.precision
      return
    }
    if (this.stage === "last") this.stage = why === undefined ? "done" : "inside"
    if (why === undefined) this.low = load
    if (this.stage === "near") this.stage = this.further(why === undefined)
    if (this.stage === "inside" && (this.high - this.low <= this.search.precision * this.low || this.closed)) this.stage = "done"
  }
  /** Up from a load that was carried, down from one that was not, each step twice the one before, until the knee lies between two loads. */
  private further(carried: boolean): "near" | "inside" | "done" {
    const { from, to } = this.search
    if (carried && this.at >= to) return "done"
    const between = this.low > from && this.why !== undefined
    const next = rounded(carried ? Math.min(to, this.at * this.step) : this.at / this.step)
    this.step = 1 + 2 * (this.step - 1)
    if (between || next <= from || next === this.at) return "inside"
    this.at = next
    return "near"
  }

  private get middle(): number {
    return rounded((this.low + this.high) / 2)
  }
  /** No load between the two has so few digits. */
  private get closed(): boolean {
    return this.middle <= this.low || this.middle >= this.high
  }

  private beyond({ why, values }: RunResult, latency: number | undefined): Beyond | undefined {
    const state = loadState(why, values)
    if (state !== "carried") return state
    if (this.yardstick === undefined) return undefined
    return latency !== undefined && latency <= this.search.latency * this.yardstick ? undefined : "latency"
  }

  /** the interval that holds the knee: carried at `low`, not carried at `high`; equal when it was never reached. `why`: what happened at `high` */
  get interval(): { readonly low: number; readonly high: number; readonly why?: Beyond } {
    return { low: this.low, high: this.high, ...(this.why === undefined ? {} : { why: this.why }) }
  }
}

/** Loads are part of a run's identity: few digits, the same on every machine. */
function rounded(load: number): number {
  return Number(load < 0.01 ? load.toPrecision(5) : load.toFixed(6))
}
