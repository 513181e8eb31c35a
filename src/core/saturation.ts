// When is a network saturated? One definition for the terminal, the column `saturated`, the report, comparisons and the
// search.

/** What a run offered and accepted, as fractions of the same channel. */
export interface LoadCounts {
  /** by specification of the sources */
  readonly offered: number
  /** what the sources really created; absent where it was not counted */
  readonly created?: number | undefined
  readonly accepted: number
  /** half width of the 95 % interval of `accepted`, where a window was measured in the steady state */
  readonly half?: number | undefined
  /** packets counted, where no interval is known */
  readonly packets?: number | undefined
}

/** With an interval: a smaller part of the offered load than this may be missing without calling it saturation. */
const MATERIAL = 0.005
/** Without one: a window that begins or ends in the middle of something misses this much by itself. */
const SHORTFALL = 0.05
/** Most of the packets that arrive in an overloaded network were created before the window, so that `packets` counts few
 *  of them. If more than this part of the offered load was created and has not arrived, the count does not matter. */
const MOST = 0.5
/** Standard errors that the shortfall must exceed: of a count of packets, or of the measured interval, which is about
 *  two on each side. */
const NOISE = 4
const HALVES = 2

/** At least this part of the missing load was created and is queued. The rest is random variation of the generation. */
const CREATED = 0.5

/**
 * Whether most of the missing load was created. A source may create less than its load in any one window: an idle
 * network accepts nothing, but is not saturated.
 */
export function isMissed(missing: number, waiting: number): boolean {
  return waiting >= CREATED * missing
}

/** Clearly less is accepted than is offered: by more than the interval of what was measured, and by more than a trifle;
 *  and it was created. */
export function isShort({ offered, created, accepted, half, packets }: LoadCounts): boolean {
  if (!(offered > 0) || Number.isNaN(accepted)) return false
  if (created !== undefined && !isMissed(offered - accepted, created - accepted)) return false
  const known = half !== undefined && Number.isFinite(half)
  const noise = known ? HALVES * half : noiseOf(packets, created !== undefined) * offered
  return offered - accepted > Math.max((known ? MATERIAL : SHORTFALL) * offered, noise)
}

/** If none of the packets of the window arrived, it may be too short for any verdict. */
function noiseOf(packets: number | undefined, counted: boolean): number {
  if (packets === undefined) return 0
  const noise = NOISE / Math.sqrt(packets)
  return counted && packets > 0 ? Math.min(MOST, noise) : noise
}

/** A run is saturated when that is what ended it, or when it accepted less than it was offered; one that broke is
 *  neither. */
export function isSaturated(why: string, values: Readonly<Record<string, number>>): boolean {
  if (why === "saturated") return true
  if (stoodStill(why)) return false
  const { offered, created, accepted, packets, "accepted.ci": half } = values
  return offered !== undefined && accepted !== undefined && isShort({ offered, created, accepted, half, packets })
}

export function stoodStill(why: string): why is "deadlock" | "starved" {
  return why === "deadlock" || why === "starved"
}

/** What became of a load, worst first. */
export const loadStates = ["deadlock", "starved", "abandoned", "saturated", "carried"] as const
export type LoadState = (typeof loadStates)[number]

export function loadState(why: string, values: Readonly<Record<string, number>>): LoadState {
  if (hasFailed(why, values)) return stoodStill(why) ? why : "abandoned"
  return isSaturated(why, values) ? "saturated" : "carried"
}

/**
 * The network itself failed: it made no progress, or packets were abandoned. It did not carry such
 * a load.
 */
export function hasFailed(why: string, values: Readonly<Record<string, number>>): boolean {
  return stoodStill(why) || (values["abandoned"] ?? 0) > 0
}
