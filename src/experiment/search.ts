// The search for the saturation load: bisection on the offered load instead of a grid. Each run halves the interval
// around it. A load is beyond saturation if the run is saturated, if its mean latency exceeds `latency` times that of
// the first load, or if the network failed (deadlock, or abandoned packets).
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
  /** where the saturation load is expected; absent: unknown */
  readonly near?: number | undefined
}

/** limit of a load: the number of rails that traffic may fill */
export const MOST_LOAD = 64

export const searchKeys = schema({
  from: fraction({
    about: "Lowest load of the search; it must be below saturation, because its latency is the reference",
    above: 0,
    default: 0.05,
  }),
  to: fraction({
    about: "Highest load of the search; above 1 for several rails",
    above: 0,
    max: MOST_LOAD,
    default: 1,
  }),
  precision: fraction({
    about: "Target width of the interval around the saturation load, relative to that load",
    above: 0,
    max: 0.5,
    default: 0.01,
  }),
  latency: real({
    about: "Treat a load as saturated if its mean latency is more than this many times that of the lowest load",
    above: 1,
    default: 3,
  }),
  near: maybe(
    fraction({
      about:
        "Expected saturation load: the search starts there instead of at `to`, and moves up or down in growing steps",
      above: 0,
      max: MOST_LOAD,
      needed: false,
    }),
  ),
})

/** Parses the key `search`. */
export function searchOf(raw: unknown, bad: Complaint[]): SaturationSearch | undefined {
  if (raw === undefined || raw === null) return undefined
  const given = typeof raw === "string" ? { name: raw } : raw
  if (!isMap(given) || given["name"] !== "saturation") {
    bad.push(
      complain(
        "search",
        `expected the name of a search, found ${kindOf(isMap(given) ? given["name"] : raw)}`,
        "write search: saturation",
      ),
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
  if (to <= from)
    bad.push(complain("search.to", `${to} is not above ${from}, where the search starts`, "choose from below to"))
  else if (near !== undefined && (near <= from || near > to))
    bad.push(
      complain(
        "search.near",
        `${near} is not between ${from} and ${to}, the range of the search`,
        "choose it between from and to",
      ),
    )
  else return got.ok
  return undefined
}

/** Why a load is not accepted: saturated, too slow, or the network failed. */
export type Beyond = Exclude<LoadState, "carried"> | "latency"

/** One search: call next() for a load and report its result. It has no side effects, so stored runs can be replayed. */
export class Bisection {
  private readonly search: SaturationSearch
  private low: number
  private high: number
  private yardstick: number | undefined
  private why: Beyond | undefined
  private stage: "first" | "last" | "near" | "inside" | "done" = "first"
  /** state of the stage "near", which searches around the expected load */
  private at = 0
  private step = 0
  constructor(search: SaturationSearch) {
    this.search = search
    this.low = search.from
    this.high = search.to
  }
  /** the load to run next, or undefined if the search has ended */
  next(): number | undefined {
    if (this.stage === "first") return this.search.from
    if (this.stage === "last") return this.search.to
    if (this.stage === "near") return this.at
    return this.stage === "done" ? undefined : this.middle
  }
  /**
   * Reports the result of a load, and moves to the next stage: "first" (reference latency), "last" or "near" (upper
   * end), "inside" (bisection), "done".
   */
  tell(load: number, result: RunResult): void {
    const latency = valueIn(result, "latency.mean")
    const why = this.beyond(result, latency)
    // The reference is the lowest load at which a packet was measured.
    this.yardstick ??= latency
    if (why !== undefined) {
      this.high = load
      this.why = why
    }
    if (this.stage === "first") {
      this.stage = why !== undefined ? "done" : this.search.near === undefined ? "last" : "near"
      // No load is known to be accepted.
      if (why !== undefined) this.low = 0
      this.at = rounded(this.search.near ?? 0)
      this.step = 1 + 2 * this.search.precision
      return
    }
    if (this.stage === "last") this.stage = why === undefined ? "done" : "inside"
    if (why === undefined) this.low = load
    if (this.stage === "near") this.stage = this.further(why === undefined)
    if (this.stage === "inside" && (this.high - this.low <= this.search.precision * this.low || this.closed))
      this.stage = "done"
  }
  /**
   * Moves up from an accepted load and down from another, with doubling steps, until saturation lies between two loads.
   */
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
  /** true if no load with the rounded number of digits lies between the two */
  private get closed(): boolean {
    return this.middle <= this.low || this.middle >= this.high
  }

  /** Returns why a load is not accepted, or undefined if it is. */
  private beyond({ why, values }: RunResult, latency: number | undefined): Beyond | undefined {
    const state = loadState(why, values)
    if (state !== "carried") return state
    if (this.yardstick === undefined) return undefined
    return latency !== undefined && latency <= this.search.latency * this.yardstick ? undefined : "latency"
  }

  /**
   * the interval that contains the saturation load: accepted at `low`, not at `high`; equal if saturation was never
   * reached. `why`: what happened at `high`
   */
  get interval(): { readonly low: number; readonly high: number; readonly why?: Beyond } {
    return { low: this.low, high: this.high, ...(this.why === undefined ? {} : { why: this.why }) }
  }
}

/** Loads are part of the run hash: they have few digits, the same on every machine. */
function rounded(load: number): number {
  return Number(load < 0.01 ? load.toPrecision(5) : load.toFixed(6))
}
