// Choices of a random configuration: a function of its seed alone.
import { Draws } from "../../../core/rng.ts"

export class RandomConfig {
  /** Probability of a network of more than 64 routers, and of one of more than 1,000. */
  readonly wide: number
  readonly huge: number
  private readonly draws: Draws
  constructor(seed: number, number: number, wide = 0, huge = 0) {
    this.wide = wide
    this.huge = huge
    this.draws = new Draws(seed ^ 0x6d617478).at(number, 0)
  }
  /** least..most, both included */
  int(least: number, most: number): number {
    return least + this.draws.below(most - least + 1)
  }
  pick<T>(of: readonly T[]): T {
    return of[this.draws.below(of.length)]
  }
  chance(p: number): boolean {
    return this.draws.unit() <= p
  }
  /** `make()` with probability p, else nothing to spread. */
  maybe<T extends object>(p: number, make: () => T): T | Record<string, never> {
    return this.chance(p) ? make() : {}
  }
}
