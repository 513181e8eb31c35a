// McKay-Miller-Siran graphs of diameter 2 for every prime power q = 4w + d, d in {-1, 0, 1}: one plane of a Slim Fly or
// Fit Fly. "A note on large graphs of diameter two and given maximum degree", McKay, Miller and Siran, 1998. The
// generator sets are those of "Slim Fly: a cost effective low-diameter network topology", Besta and Hoefler, 2014, and
// of "On the embedding of the McKay-Miller-Siran graphs", Hafner, 2004.
//
//   subgraph 0: q columns x of q routers y        subgraph 1: q columns m of q routers c
//   (0,x,y) - (0,x,y')  when y - y' is in X       (1,m,c) - (1,m,c')  when c - c' is in X'
//                      (0,x,y) - (1,m,c)  when y = m x + c
//
// All arithmetic is in GF(q). Router (s,i,j) has the number s q² + i q + j. Neighbours are computed from these
// equations, so no adjacency table is stored.
import { GaloisField, nearPrimePowers, primePower } from "../../core/galois.ts"

/** Every prime power but 2 has the form 4w + d with d in {-1, 0, 1}. */
export function isMmsOrder(q: number): boolean {
  return q > 2 && primePower(q) !== undefined
}
/** Returns valid orders near q, for error messages. */
export function mmsOrdersNear(q: number): number[] {
  return nearPrimePowers(q, isMmsOrder)
}
/** Returns the number of links of a router: (q - d) / 2 in its column and q to the other subgraph. */
export function mmsDegree(q: number): number {
  const d = q % 4 === 3 ? -1 : q % 4
  return (3 * q - d) / 2
}

export class MmsGraph {
  readonly q: number
  readonly field: GaloisField
  readonly routers: number
  readonly degree: number
  /** [s] -> the differences that link two routers of a column: X, X' */
  readonly generators: readonly [readonly number[], readonly number[]]
  /** links inside a column come first, then those to the other subgraph by its column number */
  readonly localDegree: number
  /** [s * q + difference] -> its place in the generators, -1 = none */
  private readonly place: Int16Array
  /** [s * q + difference d] -> index in `steps` of the first generator x for which d - x is a generator, too. These are
   *  the middle routers of paths of two links inside a column. */
  private readonly firstStep: Int32Array
  private readonly steps: Uint16Array

  constructor(q: number) {
    this.q = q
    this.field = new GaloisField(q)
    this.routers = 2 * q * q
    this.degree = mmsDegree(q)
    this.generators = generatorSets(this.field)
    this.localDegree = this.generators[0].length
    this.place = new Int16Array(2 * q).fill(-1)
    const steps: number[] = []
    this.firstStep = new Int32Array(2 * q + 1)
    for (let s = 0; s < 2; s++) {
      const set = this.generators[s]
      set.forEach((x, i) => {
        this.place[s * q + x] = i
      })
      for (let d = 0; d < q; d++) {
        for (const x of set) if (this.place[s * q + this.field.sub(d, x)] >= 0) steps.push(x)
        this.firstStep[s * q + d + 1] = steps.length
      }
    }
    this.steps = Uint16Array.from(steps)
  }

  /** Returns neighbour i (0 to degree-1) of router r: first those in its column, then one in each column of the other
   *  subgraph. */
  neighbour(r: number, i: number): number {
    const { q, field, localDegree } = this
    const column = Math.floor(r / q)
    const y = r - column * q
    const s = column >= q ? 1 : 0
    if (i < localDegree) return column * q + field.add(y, this.generators[s][i])
    const other = i - localDegree
    const product = field.mul(other, column - s * q)
    // (0,x,y) meets (1,m,y - mx); (1,m,c) meets (0,x,mx + c)
    return s === 0 ? q * q + other * q + field.sub(y, product) : other * q + field.add(product, y)
  }

  /** Returns the i with neighbour(a, i) = b, or -1. It solves the same equations for i. */
  indexOf(a: number, b: number): number {
    const { q, field } = this
    const from = Math.floor(a / q)
    const to = Math.floor(b / q)
    const y = a - from * q
    const z = b - to * q
    if (from === to) return this.place[(from >= q ? q : 0) + field.sub(z, y)]
    if (from < q === to < q) return -1
    const linked = from < q ? field.add(field.mul(to - q, from), z) === y : field.add(field.mul(from - q, to), y) === z
    return linked ? this.localDegree + (to >= q ? to - q : to) : -1
  }

  hops(a: number, b: number): number {
    return a === b ? 0 : this.indexOf(a, b) >= 0 ? 1 : 2
  }

  /** Writes every common neighbour of two different routers into `out`. Returns their number; `out` needs at most
   *  `degree` entries. */
  commons(a: number, b: number, out: Int32Array): number {
    const { q, field } = this
    const from = Math.floor(a / q)
    const to = Math.floor(b / q)
    const y = a - from * q
    const z = b - to * q
    let n = 0
    if (from === to) {
      const at = (from >= q ? q : 0) + field.sub(z, y)
      for (let i = this.firstStep[at]; i < this.firstStep[at + 1]; i++)
        out[n++] = from * q + field.add(y, this.steps[i])
    } else if (from < q && to < q) {
      // two columns of subgraph 0: y = m x + c and z = m x' + c give the one slope m, and c follows
      const m = field.div(field.sub(y, z), field.sub(from, to))
      out[n++] = q * q + m * q + field.sub(y, field.mul(m, from))
    } else if (from >= q && to >= q) {
      // two columns of subgraph 1: the same equations, solved for x
      const x = field.div(field.sub(y, z), field.sub(to - q, from - q))
      out[n++] = x * q + field.add(field.mul(from - q, x), y)
    } else {
      // One router in each subgraph: a common neighbour lies in the column of one of them. `apart` is the difference
      // between the router in subgraph 0 and the one that the router in subgraph 1 is linked to; a generator bridges
      // it.
      const up = from < q ? from : to
      const m = (from < q ? to : from) - q
      const yUp = from < q ? y : z
      const c = from < q ? z : y
      const product = field.mul(m, up)
      const meets = field.add(product, c)
      const apart = field.sub(yUp, meets)
      if (this.place[apart] >= 0) out[n++] = up * q + meets
      if (this.place[q + apart] >= 0) out[n++] = q * q + m * q + field.sub(yUp, product)
    }
    return n
  }

  label(r: number): string {
    const { q } = this
    const s = r >= q * q ? 1 : 0
    return `(${s},${Math.floor(r / q) - s * q},${r % q})`
  }
}

/** Returns the generator sets X and X': powers of a primitive element with even and odd exponents. For q = 4w - 1
 *  the two halves are shifted, because -1 is then no square and each set must contain the negative of each of its
 *  elements. */
function generatorSets({ q, exp }: GaloisField): [number[], number[]] {
  const w = (q + 1) / 4
  const every2 = (from: number, to: number) =>
    Array.from({ length: (to - from) / 2 + 1 }, (_, i) => exp[(from + 2 * i) % (q - 1)])
  if (q % 4 === 1) return [every2(0, q - 3), every2(1, q - 2)]
  if (q % 4 === 0) return [every2(0, q - 2), every2(1, q - 1)]
  return [
    [...every2(0, 2 * w - 2), ...every2(2 * w - 1, 4 * w - 3)],
    [...every2(1, 2 * w - 1), ...every2(2 * w, 4 * w - 2)],
  ]
}
