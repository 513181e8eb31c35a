// Chance is a function, not a state: draw(seed, entity, counter) is MurmurHash3 (x86, 32 bit; Austin Appleby, public domain) of the
// two words (entity, counter) under the seed. Nothing is stored, so adding a probe or a worker shifts nobody else's draws.

/** 32 random bits (as a signed int) for draw number `counter` of `entity`. */
export function draw(seed: number, entity: number, counter: number): number {
  let k = Math.imul(entity, 0xcc9e2d51)
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  let h = seed ^ k
  h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
  k = Math.imul(counter, 0xcc9e2d51)
  h ^= Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
  h ^= 8
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** An integer in 0..n-1 from 32 random bits (bias below n / 2^32). */
export function below(bits: number, n: number): number {
  return Math.floor((bits >>> 0) * 2.3283064365386963e-10 * n)
}

/** A number in (0, 1] from 32 random bits: never 0, so its logarithm is finite. */
export function unit(bits: number): number {
  return ((bits >>> 0) + 1) * 2.3283064365386963e-10
}

/** A stream of draws that can be set down anywhere: `at(entity, counter)` costs two stores. */
export class Draws {
  readonly seed: number
  entity = 0
  counter = 0
  constructor(seed: number) {
    this.seed = seed | 0
  }
  at(entity: number, counter: number): this {
    this.entity = entity
    this.counter = counter
    return this
  }
  bits(): number {
    return draw(this.seed, this.entity, this.counter++)
  }
  below(n: number): number {
    return below(draw(this.seed, this.entity, this.counter++), n)
  }
  unit(): number {
    return unit(draw(this.seed, this.entity, this.counter++))
  }
}
