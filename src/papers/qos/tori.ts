// Figure 6: the tori, with trunks; rings are kept moving by bubbles, for Table 3 gives every level one VL. Quick forms load their trunks as the paper's do.
import { panel } from "./panels.ts"
import { whole } from "./trees.ts"

export const fig6a = panel({
  id: "qos/fig6a",
  number: "Figures 6a to 6d",
  title: "Seven service levels on an 8x8 torus",
  quick: {
    topology: { name: "torus", sides: "4x4", p: 8, trunk: 5 },
    routing: "torus.bubble",
    times: [4000, 6000],
    seeds: 1,
    scaled: "4x4 with trunks of 5 (128 endpoints) instead of 8x8 with trunks of 10 (512), 0.03 ms, one seed",
    small: true,
  },
  full: { topology: { name: "torus", sides: "8x8", p: 8, trunk: 10 }, routing: "torus.bubble", times: whole, seeds: 3 },
  nc: [840.95, 758.1],
  growth: [267.66, 69.45],
  bk: false,
  drastic: false,
  losing: { infiniband: [], "omni-path": [] },
})

export const fig6e = panel({
  id: "qos/fig6e",
  number: "Figures 6e to 6h",
  title: "Seven service levels on an 8x8x8 torus",
  quick: {
    topology: { name: "torus", sides: "4x4x4", p: 4, trunk: 2 },
    routing: "torus.bubble",
    times: [3000, 3000],
    seeds: 1,
    scaled: "4x4x4 with trunks of 2 (256 endpoints) instead of 8x8x8 with trunks of 4 (2,048), 0.015 ms, one seed",
    small: true,
  },
  full: { topology: { name: "torus", sides: "8x8x8", p: 4, trunk: 4 }, routing: "torus.bubble", times: whole, seeds: 3 },
  nc: [1330.24, 1115.85],
  growth: [229.89, 80.36],
  bk: false,
  drastic: false,
  losing: { infiniband: ["VO", "VI"], "omni-path": ["CL"] },
})
