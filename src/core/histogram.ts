// A histogram of whole numbers with bins that grow with the value (log-linear, as in HdrHistogram by G. Tene): exact
// below 2^(BITS + 1), above that 2^BITS bins to each power of two. It is one array of counts, so histograms of workers,
// seeds and batches merge by addition. The hot loop writes `counts[bin(v)]!++` and nothing else. Limits: values from 0
// to 2^31 - 1, at most 2^32 - 1 of them in one bin.

const BITS = 7
const PER_OCTAVE = 2 ** BITS

/** Each value below this has a separate bin. */
export const EXACT_BELOW = 2 * PER_OCTAVE
/** A value is known to this relative error at worst: half the width of a bin against its lower end. */
export const RELATIVE_ERROR = 1 / (2 * PER_OCTAVE)
/** How many bins there are. */
export const BINS = (32 - BITS) * PER_OCTAVE

/** The bin of a whole number, 0 <= v < 2^31. */
export function bin(v: number): number {
  const shift = 31 - BITS - Math.clz32(v | PER_OCTAVE)
  return shift * PER_OCTAVE + (v >>> shift)
}

/** The least value of a bin; `lowestOf(b + 1) - 1` is its largest. */
export function lowestOf(b: number): number {
  if (b < EXACT_BELOW) return b
  const shift = Math.floor(b / PER_OCTAVE) - 1
  return ((b % PER_OCTAVE) + PER_OCTAVE) * 2 ** shift
}

/** The value that stands for a bin: its middle. */
export function middleOf(b: number): number {
  return (lowestOf(b) + lowestOf(b + 1) - 1) / 2
}

export class Histogram {
  readonly counts: Uint32Array
  constructor(counts: Uint32Array = new Uint32Array(BINS)) {
    this.counts = counts
  }

  /** Values outside of the range go to the bin at its end. */
  add(v: number): void {
    this.counts[bin(Math.max(0, Math.min(v, 2147483647)))]++
  }

  merge(other: Histogram): this {
    for (let b = 0; b < BINS; b++) this.counts[b] += other.counts[b]
    return this
  }

  get total(): number {
    let n = 0
    for (let b = 0; b < BINS; b++) n += this.counts[b]
    return n
  }

  /** The least value that a share q of all values does not exceed (nearest rank), to RELATIVE_ERROR; NaN when empty. */
  quantile(q: number): number {
    const total = this.total
    if (total === 0) return Number.NaN
    const rank = Math.min(total, Math.max(1, Math.ceil(q * total)))
    let below = 0
    for (let b = 0; b < BINS; b++) {
      below += this.counts[b]
      if (below >= rank) return middleOf(b)
    }
    return Number.NaN
  }

  /**
   * The mean, from the middles of the bins, to RELATIVE_ERROR. A sum that the caller stores next to the histogram is
   * exact.
   */
  mean(): number {
    let n = 0
    let sum = 0
    for (let b = 0; b < BINS; b++) {
      const c = this.counts[b]
      n += c
      if (c > 0) sum += c * middleOf(b)
    }
    return n === 0 ? Number.NaN : sum / n
  }
}
