// Matchings port by port, with plain lists: the twin of src/switches/parts/matching.ts.
import type { MatchingName } from "../../src/switches/parts/matching.ts"

/** [input, output, level] */
export type Ask = readonly [number, number, number?]

/** The same, port by port, with plain lists. */
export class PlainMatching {
  readonly inNext: number[]
  readonly outNext: number[]
  readonly spec: { name: MatchingName; iterations: number; inputs: number; outputs: number }
  constructor(spec: PlainMatching["spec"]) {
    this.spec = spec
    this.inNext = Array.from({ length: spec.inputs }, () => 0)
    this.outNext = Array.from({ length: spec.outputs }, () => 0)
  }
  /** Of these asks the one of the most urgent level, then round robin over `side`. */
  private pick(asks: readonly Ask[], side: 0 | 1, next: number, size: number): Ask | undefined {
    const urgent = Math.min(...asks.map((a) => a[2] ?? 0))
    const after = (a: Ask) => (a[side] - next + size) % size
    return asks.filter((a) => (a[2] ?? 0) === urgent).sort((a, b) => after(a) - after(b))[0]
  }
  match(asks: readonly Ask[]): number[][] {
    const { name, iterations, inputs, outputs } = this.spec
    const done: number[][] = []
    const first = name === "input-first" ? 0 : 1
    const next = [this.inNext, this.outNext]
    const size = [inputs, outputs]
    for (let n = 0; n < iterations; n++) {
      const left = asks.filter(([i, o]) => !done.some((d) => d[0] === i || d[1] === o))
      const choices = Array.from({ length: size[first] }, (_, a) =>
        this.pick(
          left.filter((x) => x[first] === a),
          first === 0 ? 1 : 0,
          next[first][a],
          size[1 - first],
        ),
      ).filter((x) => x !== undefined)
      for (let b = 0; b < size[1 - first]; b++) {
        const won = this.pick(
          choices.filter((x) => x[1 - first] === b),
          first === 0 ? 0 : 1,
          next[1 - first][b],
          size[first],
        )
        if (won === undefined) continue
        done.push([won[0], won[1], won[2] ?? 0])
        if (name === "islip" && n > 0) continue
        this.inNext[won[0]] = (won[1] + 1) % outputs
        this.outNext[won[1]] = (won[0] + 1) % inputs
      }
    }
    return done
  }
}
