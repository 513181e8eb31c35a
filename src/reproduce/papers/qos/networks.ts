// The four networks of figures 5 and 6, what the text says about each, and smaller ones for quick forms. Tori have
// trunks, whose rings are kept moving by bubbles, for Table 3 gives every level one VL; quick tori load their trunks as
// the paper's do.
import type { Size, Switch } from "./network.ts"

export interface Network {
  /** figure and first of its four panels: latency and throughput, InfiniBand and Omni-Path */
  readonly figure: 5 | 6
  readonly first: "a" | "e"
  readonly name: string
  readonly quick: Size & { readonly scaled: string; readonly small: boolean }
  readonly full: Size
  /** NC at 0.7, InfiniBand and Omni-Path, and its growth from the first to the last load (ns) */
  readonly nc: readonly [number, number]
  readonly growth: readonly [number, number]
  /** the text speaks of large increases of BK here; of VO and VI */
  readonly bk: boolean
  readonly drastic: boolean
  /** levels that may fall to 0.90 of what is offered at the last load */
  readonly losing: Readonly<Record<Switch, readonly string[]>>
}

/** 1.2 ms, the first 0.2 of which are warm-up. */
const whole: readonly [number, number] = [39_000, 195_000]
const tree = (k: number, n: number) => ({ topology: { name: "tree", k, n }, routing: "tree.valiant" })
const torus = (sides: string, p: number, trunk: number) => ({
  topology: { name: "torus", sides, p, trunk },
  routing: "torus.bubble",
})
const nobody = { infiniband: [], "omni-path": [] }

export const networks: readonly Network[] = [
  {
    figure: 5,
    first: "a",
    name: "a 4-ary 3-tree",
    quick: { ...tree(4, 3), times: [4000, 20_000], seeds: 1, scaled: "0.1 instead of 1 ms, one seed", small: false },
    full: { ...tree(4, 3), times: whole, seeds: 30 },
    nc: [780.41, 647.1],
    growth: [55.78, 44.6],
    bk: true,
    drastic: true,
    losing: { infiniband: ["VO", "VI"], "omni-path": [] },
  },
  {
    figure: 5,
    first: "e",
    name: "a 24-ary 2-tree",
    quick: {
      ...tree(8, 2),
      times: [4000, 10_000],
      seeds: 1,
      scaled: "an 8-ary 2-tree (64 endpoints) instead of the 24-ary one (576), 0.05 ms, one seed",
      small: true,
    },
    full: { ...tree(24, 2), times: whole, seeds: 6 },
    nc: [604.01, 446.87],
    growth: [144.95, 35.95],
    bk: true,
    drastic: false,
    losing: nobody,
  },
  {
    figure: 6,
    first: "a",
    name: "an 8x8 torus",
    quick: {
      ...torus("4x4", 8, 5),
      times: [4000, 6000],
      seeds: 1,
      scaled: "4x4 with trunks of 5 (128 endpoints) instead of 8x8 with trunks of 10 (512), 0.03 ms, one seed",
      small: true,
    },
    full: { ...torus("8x8", 8, 10), times: whole, seeds: 6 },
    nc: [840.95, 758.1],
    growth: [267.66, 69.45],
    bk: false,
    drastic: false,
    losing: nobody,
  },
  {
    figure: 6,
    first: "e",
    name: "an 8x8x8 torus",
    quick: {
      ...torus("4x4x4", 4, 2),
      times: [3000, 3000],
      seeds: 1,
      scaled: "4x4x4 with trunks of 2 (256 endpoints) instead of 8x8x8 with trunks of 4 (2,048), 0.015 ms, one seed",
      small: true,
    },
    full: { ...torus("8x8x8", 4, 4), times: whole, seeds: 3 },
    nc: [1330.24, 1115.85],
    growth: [229.89, 80.36],
    bk: false,
    drastic: false,
    losing: { infiniband: ["VO", "VI"], "omni-path": ["CL"] },
  },
]
