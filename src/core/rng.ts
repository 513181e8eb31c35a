// Counter-based random numbers: a draw is a function of the seed, the entity and a counter, without stored state.
// Adding a probe or a worker therefore changes no other draw. A stream is one 32-bit word, computed once (`streamOf`);
// each draw then costs two multiplications. The mixer is that of lowbias32 ("Prospecting for hash functions", C.
// Wellons, 2018, public domain). The word of the stream enters it twice: added before the first multiplication and,
// with its halves exchanged, between the two. Streams that reach the same sum therefore diverge again, and word 0 is
// lowbias32 itself.

/** 32 random bits (as a signed int): draw number `counter` of the stream `word`. A packet's own 32 bits are a word
 *  already. */
export function draw(word: number, counter: number): number {
  let h = (word + counter) | 0
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h ^= (h >>> 15) ^ ((word << 16) | (word >>> 16))
  h = Math.imul(h, 0x846ca68b)
  return h ^ (h >>> 16)
}

/** The word of an entity's stream under a seed: no two entities of a seed share one. */
export function streamOf(seed: number, entity: number): number {
  return draw(seed, entity)
}

/** An integer in 0..n-1 from 32 random bits (bias below n / 2^32). */
export function below(bits: number, n: number): number {
  return Math.floor((bits >>> 0) * 2.3283064365386963e-10 * n)
}

/** A number in (0, 1] from 32 random bits: never 0. */
export function unit(bits: number): number {
  return ((bits >>> 0) + 1) * 2.3283064365386963e-10
}

/** A stream of draws that can be set down anywhere: `at(entity, counter)` folds the stream's word. */
export class Draws {
  readonly seed: number
  private word: number
  private counter = 0
  constructor(seed: number) {
    this.seed = seed | 0
    this.word = streamOf(seed, 0)
  }
  at(entity: number, counter: number): this {
    this.word = streamOf(this.seed, entity)
    this.counter = counter
    return this
  }
  bits(): number {
    return draw(this.word, this.counter++)
  }
  below(n: number): number {
    return below(draw(this.word, this.counter++), n)
  }
  unit(): number {
    return unit(draw(this.word, this.counter++))
  }
}
