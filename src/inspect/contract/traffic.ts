// The contracts of patterns, arrival processes and sizes: results in range, the same result for the same draws, and few
// draws per decision.
import { Draws } from "../../core/rng.ts"
import { Moments } from "../../core/stats.ts"
import type { ArrivalsSite, PatternSite } from "../../model/plugin.ts"
import type { Arrivals, Rng, Sizes, TrafficPattern } from "../../model/traffic.ts"
import { type Contract, contracts, type Finding, looked } from "./finding.ts"

/** An engine gives each decision a separate range of the random stream with this many draws (sizes: half of it). */
const CAPACITY = 8

/** Counts the random draws of a plug-in. */
class Counting implements Rng {
  private taken = 0
  private readonly draws: Draws
  constructor(seed: number) {
    this.draws = new Draws(seed)
  }
  bits(): number {
    this.taken++
    return this.draws.bits()
  }
  below(n: number): number {
    this.taken++
    return this.draws.below(n)
  }
  unit(): number {
    this.taken++
    return this.draws.unit()
  }
  since(): number {
    const n = this.taken
    this.taken = 0
    return n
  }
}

/** Number of calls for each endpoint. */
const ASKED = 50

/** Checks the destinations of a pattern for each endpoint: range, number of draws, determinism, permutation. */
export function patternContract(
  make: (on: PatternSite) => TrafficPattern,
  on: PatternSite,
  permutation = false,
): Finding[] {
  return looked((found) => {
    const { ends } = on.topology.graph
    const made = make(on)
    const drawn = () => ({ ...on, rng: new Draws(1), common: new Draws(2) })
    const twin = make(drawn())
    const again = make(drawn())
    const rng = new Counting(5)
    const receivers = new Map<number, number>()
    for (let e = 0; e < ends; e++) {
      let silent = 0
      const seen = new Set<number>()
      for (let i = 0; i < ASKED; i++) {
        const d = made.dest(e, rng, i)
        if (d === -1) silent++
        else if (!(Number.isInteger(d) && d >= 0 && d < ends))
          found(contracts.range, `endpoint ${e} sends to ${d} of ${ends} endpoints`)
        else seen.add(d)
        const drawn = rng.since()
        if (drawn > CAPACITY)
          found(contracts.draws, `endpoint ${e} takes ${drawn} draws, at most ${CAPACITY} belong to one packet`)
      }
      if (silent !== 0 && silent !== ASKED)
        found(contracts.range, `endpoint ${e} sends sometimes: ${ASKED - silent} of ${ASKED} times`)
      const [one, two] = [twin.dest(e, new Draws(9).at(e, 3), 3), again.dest(e, new Draws(9).at(e, 3), 3)]
      if (one !== two) found(contracts.alike, `endpoint ${e} sends to ${one} and to ${two} with the same draws`)
      if (!permutation || seen.size === 0) continue
      const to = [...seen][0]
      if (seen.size > 1) found(contracts.permutation, `endpoint ${e} sends to ${seen.size} others`)
      else if (receivers.has(to))
        found(contracts.permutation, `endpoints ${receivers.get(to)} and ${e} both send to ${to}`)
      receivers.set(to, e)
    }
  })
}

/** Packets of the test of the mean rate, in blocks; tolerance besides four standard errors of the blocks. */
const PACKETS = 40_000
const BLOCK = 400
const TOLERANCE = 0.05

/** Checks the mean rate. Bursts and pauses are longer than a gap, so the error is that of blocks of packets. */
function checkRate(made: Arrivals, rate: number, found: (contract: Contract, says: string) => void): void {
  const state = new Int32Array(1)
  const gaps = new Moments()
  let last = made.first(2, new Draws(4).at(2, 0))
  let start = last
  for (let i = 1; i <= PACKETS; i++) {
    last = made.next(2, last, new Draws(4).at(2, i * CAPACITY), state, 0)
    if (i % BLOCK !== 0) continue
    gaps.add((last - start) / BLOCK)
    start = last
  }
  const tolerance = TOLERANCE + (4 * Math.sqrt(gaps.variance / gaps.n)) / gaps.mean
  const off = gaps.mean * rate - 1
  if (!(Math.abs(off) <= tolerance))
    found(contracts.rate, `a packet each ${gaps.mean.toFixed(2)} cycles, expected ${(1 / rate).toFixed(2)}`)
}

/**
 * Checks an arrival process over 2,000 packets: times increase, state is only its integer, few draws. `paced`: it must
 * also have the mean rate of its site.
 */
export function arrivalsContract(make: (on: ArrivalsSite) => Arrivals, on: ArrivalsSite, paced = true): Finding[] {
  return looked((found) => {
    const made = make(on)
    const other = make(on)
    const state = new Int32Array(3)
    const rng = new Counting(7)
    let last = made.first(1, rng)
    if (!(last >= 0)) found(contracts.forward, `the first one is created at ${last}`)
    for (let i = 0; i < 2000; i++) {
      const copy = state.slice()
      const next = made.next(1, last, new Draws(3).at(1, i * CAPACITY), state, 1)
      if (!(Number.isFinite(next) && next >= last)) found(contracts.forward, `${next} after ${last}`)
      // Another instance with a copy of the integer must continue equally, because checkpoints store only that integer.
      const same = other.next(1, last, new Draws(3).at(1, i * CAPACITY), copy, 1)
      if (same !== next || copy[1] !== state[1])
        found(contracts.state, `a copy continues differently: ${same} instead of ${next} after ${last}`)
      last = next
      made.next(1, last, rng, state.slice(), 1)
      const drawn = rng.since()
      if (drawn > CAPACITY) found(contracts.draws, `${drawn} draws for one packet, at most ${CAPACITY} belong to it`)
    }
    if (state[0] !== 0 || state[2] !== 0) found(contracts.state, "it writes ints of other sources")
    if (paced) checkRate(other, on.rate, found)
  })
}

/** Checks the mean, maximum and number of draws of a size distribution with 20,000 samples. */
export function sizesContract(made: Sizes): Finding[] {
  return looked((found) => {
    const rng = new Counting(11)
    let [sum, most, squares] = [0, 0, 0]
    const n = 20_000
    for (let i = 0; i < n; i++) {
      const size = made.size(rng)
      if (!(Number.isInteger(size) && size >= 1 && size <= made.max))
        found(contracts.sizes, `size ${size}, but the declared maximum is ${made.max}`)
      if (made.fixed !== undefined && size !== made.fixed)
        found(contracts.sizes, `size ${size} instead of ${made.fixed}`)
      const drawn = rng.since()
      if (drawn > CAPACITY / 2)
        found(contracts.draws, `${drawn} draws for one size, at most ${CAPACITY / 2} belong to it`)
      sum += size
      squares += size * size
      most = Math.max(most, size)
    }
    const error = Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2) / n)
    if (!(Math.abs(sum / n - made.mean) <= 4 * error + 1e-9))
      found(contracts.sizes, `mean ${sum / n} of ${n}, ${made.mean} is promised`)
    if (most !== made.max) found(contracts.sizes, `the largest of ${n} is ${most}, ${made.max} is promised`)
  })
}
