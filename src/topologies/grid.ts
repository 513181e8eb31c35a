// Coordinates of routers on a grid with sides of any length: router = sum of coordinate_d * stride_d, dimension 0
// fastest. Mesh, torus and HyperX share this class, and their routings read `at` directly.
import { type Complaint, complain } from "../core/complaint.ts"
import { int, list, maybe } from "../core/schema.ts"
import { shared } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"

export class Grid {
  readonly sides: readonly number[]
  readonly n: number
  readonly stride: Int32Array
  readonly size: number
  /** [router * n + d] -> coordinate d, in the narrowest type that holds the longest side: routings read it for every
   *  hop, and a small table stays in the cache */
  readonly at: Uint8Array | Uint16Array | Int32Array

  constructor(sides: readonly number[]) {
    this.sides = sides
    this.n = sides.length
    this.stride = shared(Int32Array, this.n)
    let size = 1
    for (let d = 0; d < this.n; d++) {
      this.stride[d] = size
      size *= sides[d]
    }
    this.size = size
    const most = Math.max(...sides)
    const words = size * this.n
    this.at =
      most <= 256 ? shared(Uint8Array, words) : most <= 65536 ? shared(Uint16Array, words) : shared(Int32Array, words)
    for (let r = 0; r < size; r++)
      for (let d = 0; d < this.n; d++) this.at[r * this.n + d] = Math.floor(r / this.stride[d]) % sides[d]
  }

  coordinate(r: Router, d: number): number {
    return this.at[r * this.n + d]
  }

  label(r: Router): string {
    return `(${Array.from(this.at.subarray(r * this.n, (r + 1) * this.n)).join(",")})`
  }

  /** Returns the common side, or undefined where the sides differ. Traffic patterns that permute digits need it. */
  get radix(): number | undefined {
    return this.sides.every((s) => s === this.sides[0]) ? this.sides[0] : undefined
  }
}

/** Sizes are given as `sides: 8x8x4`, or as `k` and `n`. */
export type SidesParams = { sides: readonly number[] | undefined; k: number | undefined; n: number | undefined }

export const sidesFields = {
  sides: maybe(
    list(int({ min: 2 }), {
      about: "Number of routers in each dimension, as 8x8; k and n are an alternative",
      needed: false,
      atLeast: 1,
    }),
  ),
  k: maybe(int({ about: "Number of routers in every dimension", min: 2, needed: false })),
  n: maybe(int({ about: "Number of dimensions", min: 1, max: 24, needed: false })),
}

/** Returns the sides, however they are given. */
export function sidesOf(p: SidesParams): readonly number[] {
  return p.sides ?? Array.from({ length: p.n ?? 1 }, () => p.k ?? 2)
}

/** Returns errors for sizes that are missing, or given twice with different values. */
export function checkSides(p: SidesParams): Complaint[] {
  if (p.sides !== undefined) {
    const product = p.sides.reduce((a, b) => a * b, 1)
    if (p.k === undefined && p.n === undefined) return []
    if (p.n !== undefined && p.k !== undefined && p.k ** p.n === product && p.sides.every((s) => s === p.k)) return []
    return [complain("sides", `${p.sides.join("x")} is given together with k or n`, "give either sides, or k and n")]
  }
  if (p.k === undefined) return [complain("sides", "is missing", "give sides, as 8x8, or k and n")]
  if (p.n === undefined) return [complain("n", "is missing", `give n: ${p.k} in how many dimensions, for example n: 2`)]
  return []
}
