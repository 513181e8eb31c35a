// Figure 5: the trees.
import { panel } from "./panels.ts"

/** 1.2 ms, the first 0.2 of which are warm-up. */
export const whole: readonly [number, number] = [39_000, 195_000]

export const fig5a = panel({
  id: "qos/fig5a",
  number: "Figures 5a to 5d",
  title: "Seven service levels on a 4-ary 3-tree",
  quick: {
    topology: { name: "tree", k: 4, n: 3 },
    routing: "tree.valiant",
    times: [4000, 20_000],
    seeds: 1,
    scaled: "0.1 instead of 1 ms, one seed",
    small: false,
  },
  full: { topology: { name: "tree", k: 4, n: 3 }, routing: "tree.valiant", times: whole, seeds: 3 },
  nc: [780.41, 647.1],
  growth: [55.78, 44.6],
  bk: true,
  drastic: true,
  losing: { infiniband: ["VO", "VI"], "omni-path": [] },
})

export const fig5e = panel({
  id: "qos/fig5e",
  number: "Figures 5e to 5h",
  title: "Seven service levels on a 24-ary 2-tree",
  quick: {
    topology: { name: "tree", k: 8, n: 2 },
    routing: "tree.valiant",
    times: [4000, 10_000],
    seeds: 1,
    scaled: "an 8-ary 2-tree (64 endpoints) instead of the 24-ary one (576), 0.05 ms, one seed",
    small: true,
  },
  full: { topology: { name: "tree", k: 24, n: 2 }, routing: "tree.valiant", times: whole, seeds: 3 },
  nc: [604.01, 446.87],
  growth: [144.95, 35.95],
  bk: true,
  drastic: false,
  losing: { infiniband: [], "omni-path": [] },
})
