// The projective plane over GF(q), on which PolarFly and the orthogonal fat tree are built. It has q² + q + 1 points
// and as many lines. Each line contains q + 1 points, and two points lie on exactly one line.
//
// A point is a vector whose first non-zero coordinate is 1: (1,y,z) has the number y q + z, (0,1,z) has q² + z, and
// (0,0,1) has q² + q. Lines are given by their coefficients and numbered in the same way. Point u lies on line v when u
// · v = 0.
import { GaloisField } from "../../core/galois.ts"

export class ProjectivePlane {
  readonly q: number
  readonly points: number
  readonly field: GaloisField
  constructor(q: number) {
    this.q = q
    this.points = q * q + q + 1
    this.field = new GaloisField(q)
  }

  /** Returns the vector of point u, or the coefficients of line u. */
  vector(u: number): [number, number, number] {
    const { q } = this
    if (u < q * q) return [1, Math.floor(u / q), u % q]
    return u < q * q + q ? [0, 1, u - q * q] : [0, 0, 1]
  }

  /** Returns the dot product in GF(q). */
  dot(u: number, v: number): number {
    const f = this.field
    const [a, b, c] = this.vector(u)
    const [x, y, z] = this.vector(v)
    return f.add(f.add(f.mul(a, x), f.mul(b, y)), f.mul(c, z))
  }

  /** Returns the line through two different points, or the point on two different lines: their cross product. */
  join(u: number, v: number): number {
    const f = this.field
    const [a, b, c] = this.vector(u)
    const [x, y, z] = this.vector(v)
    const minor = (i: number, j: number, k: number, l: number) => f.sub(f.mul(i, l), f.mul(j, k))
    return this.point(minor(b, c, y, z), minor(c, a, z, x), minor(a, b, x, y))
  }

  /** Returns the q + 1 points of a line, ascending. */
  line(v: number): number[] {
    const { q, field: f } = this
    const [a, b, c] = this.vector(v)
    const all = Array.from({ length: q }, (_, i) => i)
    if (c !== 0) {
      const z = (x: number, y: number) => f.neg(f.div(f.add(f.mul(a, x), f.mul(b, y)), c))
      return [...all.map((y) => y * q + z(1, y)), q * q + z(0, 1)]
    }
    if (b !== 0) return [...all.map((z) => f.neg(f.div(a, b)) * q + z), q * q + q]
    return [...all.map((z) => q * q + z), q * q + q]
  }

  /** Returns the number of a vector, after scaling its first non-zero coordinate to 1. */
  private point(x: number, y: number, z: number): number {
    const { q, field: f } = this
    if (x !== 0) return f.div(y, x) * q + f.div(z, x)
    return y !== 0 ? q * q + f.div(z, y) : q * q + q
  }
}
