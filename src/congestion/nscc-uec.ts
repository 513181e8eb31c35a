// The window of a flow as the Ultra Ethernet specification 1.0 computes it (`rules: uec` of nscc.ts), in the form of its
// reference model, uet-htsim (uec.cpp). W is the window, n the acknowledged flits, d the delay of the acknowledgement.
//
//   d        time from departure to acknowledgement, minus the base round trip: the one of the network, later the
//            smallest one seen. The largest window is `maxWindow` base round trips.
//   mean     moving average of d with weight `meanWeight`. An unmarked sample above the target counts as a quarter of
//            the base round trip, a lost packet as the round trip of the network.
//   Not marked, d >= target:  sum += fair x n
//   Not marked, d < target:   sum += alpha x (target - d) x n, or fast increase
//   Marked, d >= target:      W x max(1/2, 1 - gamma (mean - target) / mean) if mean > target, at most once per base
//                             round trip
//   Marked, d < target:       no change
//   Every 8 packets or round trip:  W += sum / W, and once per round trip of the network W += eta
//   Fast increase: while d is below `fastBelow` for more than W flits, W += fast x n instead of the sum.
//   Loss of n flits: W -= n, unless quick adaptation acts.
//   Quick adaptation: once per base round trip + target. If flits were lost since it acted or d > 4 x target, and less
//     than 1/8 of the largest window was acknowledged in this time, W becomes what was acknowledged. Marks and losses
//     of the flits that are in flight at that time then have no effect on the window.
import type { Flows } from "./flows.ts"
import { SCALE } from "./windows.ts"

export interface UecRules {
  readonly target: number
  readonly roundTrip: number
  readonly alpha: number
  readonly fair: number
  readonly gamma: number
  readonly eta: number
  readonly fast: number
  readonly fastBelow: number
  readonly quickAdapt: boolean
  readonly meanWeight: number
  readonly maxWindow: number
  /** flits of 8 packets */
  readonly every: number
}

/** Words of a flow that the rules need. */
export const UEC_WORDS = 13

export interface UecWindows {
  /** A flow starts in cycle `now`. */
  opened(row: number, now: number): void
  /** n flits were acknowledged after `took` cycles; `left` flits are outstanding. */
  acknowledged(row: number, n: number, marked: boolean, took: number, left: number, now: number): void
  /** n flits were lost; `took`: cycles from the departure of the packet to the return of its header. */
  lost(row: number, n: number, took: number, left: number, now: number): void
  digest(row: number, add: (a: number, b: number) => void): void
}

/** Fixed-point units of the mean and of the sum. */
const MEAN = 1024
const SUM = 64

/** `word`: the first word of a flow that belongs to these rules; `window`, `least`: in 1 / SCALE flits. */
export function makeUecWindows(flows: Flows, word: number, window: Int32Array, least: number, p: UecRules): UecWindows {
  let next = word
  const column = () => flows.word(next++)
  const base = column()
  const mean = column()
  const sum = column()
  /** flits since the last adjustment; times of the last eta and of the last decrease */
  const since = column()
  const etaAt = column()
  const cutAt = column()
  /** flits acknowledged without delay, and whether the window grows fast */
  const early = column()
  const fast = column()
  /** quick adaptation: end of the period (0: none yet), flits acknowledged in it, whether flits were lost, flits that
   *  came back since it acted, flits that were in flight then */
  const adaptAt = column()
  const achieved = column()
  const losses = column()
  const back = column()
  const ignored = column()

  function opened(row: number, now: number): void {
    base[row] = p.roundTrip
    mean[row] = 0
    sum[row] = 0
    since[row] = 0
    // The first acknowledgement adjusts the window.
    etaAt[row] = now - p.roundTrip
    cutAt[row] = now - p.roundTrip
    early[row] = 0
    fast[row] = 0
    adaptAt[row] = 0
    achieved[row] = 0
    losses[row] = 0
    back[row] = 0
    ignored[row] = 0
  }

  function limit(row: number): void {
    const most = Math.floor(p.maxWindow * base[row] * SCALE)
    if (window[row] > most) window[row] = most
    if (window[row] < least) window[row] = least
  }

  function acknowledged(row: number, n: number, marked: boolean, took: number, left: number, now: number): void {
    if (took < base[row]) base[row] = took
    const delay = took - base[row]
    sample(row, !marked && delay > p.target ? base[row] >> 2 : delay)
    achieved[row] += n
    since[row] += n
    back[row] += n
    if (adapted(row, delay, marked, left, now)) return
    if (!marked) {
      if (delay >= p.target) raise(row, p.fair * n)
      else if (!fastIncrease(row, n, delay)) raise(row, p.alpha * (p.target - delay) * n)
    } else if (delay >= p.target) decrease(row, now)
    limit(row)
    if (since[row] > p.every || now - etaAt[row] > p.roundTrip) adjust(row, now)
    limit(row)
  }

  function sample(row: number, delay: number): void {
    mean[row] += Math.round(p.meanWeight * (delay * MEAN - mean[row]))
  }

  function raise(row: number, flits: number): void {
    sum[row] += Math.round(flits * SUM)
  }

  function fastIncrease(row: number, n: number, delay: number): boolean {
    if (delay >= p.fastBelow) {
      early[row] = 0
      fast[row] = 0
      return false
    }
    early[row] += n
    if (fast[row] === 0 && early[row] * SCALE <= window[row]) return false
    fast[row] = 1
    window[row] += Math.round(p.fast * n * SCALE)
    return true
  }

  function decrease(row: number, now: number): void {
    early[row] = 0
    fast[row] = 0
    const late = mean[row] - p.target * MEAN
    if (late <= 0 || now - cutAt[row] <= base[row]) return
    window[row] = Math.round(window[row] * Math.max(0.5, 1 - (p.gamma * late) / mean[row]))
    cutAt[row] = now
  }

  function adjust(row: number, now: number): void {
    window[row] += Math.round(((sum[row] / SUM) * SCALE * SCALE) / window[row])
    sum[row] = 0
    since[row] = 0
    if (now - etaAt[row] < p.roundTrip) return
    window[row] += Math.round(p.eta * SCALE)
    etaAt[row] = now
  }

  /** Returns whether quick adaptation has set the window, or the mark or loss has no effect because it has. */
  function adapted(row: number, delay: number, bad: boolean, left: number, now: number): boolean {
    if (!p.quickAdapt) return false
    const ignores = bad && back[row] < ignored[row]
    if (!ignores && now <= adaptAt[row]) return false
    const acts = !ignores && quick(row, delay, left)
    if (!ignores) {
      achieved[row] = 0
      adaptAt[row] = now + base[row] + p.target
    }
    if (!acts && !ignores) return false
    sum[row] = 0
    since[row] = 0
    return true
  }

  /** Sets the window to what the period delivered if that was little. */
  function quick(row: number, delay: number, left: number): boolean {
    const slow = losses[row] !== 0 || delay > 4 * p.target
    if (adaptAt[row] === 0 || !slow || 8 * achieved[row] >= p.maxWindow * base[row]) return false
    window[row] = Math.max(least, achieved[row] * SCALE)
    ignored[row] = left
    back[row] = 0
    losses[row] = 0
    return true
  }

  function lost(row: number, n: number, took: number, left: number, now: number): void {
    if (took < base[row]) base[row] = took
    back[row] += n
    sample(row, p.roundTrip)
    losses[row] = 1
    if (adapted(row, 0, true, left, now)) return
    window[row] -= n * SCALE
    limit(row)
  }

  return {
    opened,
    acknowledged,
    lost,
    digest(row, add) {
      add(base[row], mean[row])
      add(sum[row], since[row])
      add(early[row] * 2 + fast[row], achieved[row] * 2 + losses[row])
      add(adaptAt[row], ignored[row])
      add(back[row], etaAt[row])
    },
  }
}
