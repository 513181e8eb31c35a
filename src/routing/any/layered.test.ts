import { expect, test } from "vitest"
import { build, type Raw } from "../../../test/contract/cases.ts"
import layered from "./layered.ts"

test.each([
  // no cycle to break: a tree, and grids whose first ports are dimension order
  ["tree", { k: 4, n: 3 }, 1],
  ["mesh", { sides: "4x4" }, 1],
  ["hyperx", { sides: "4x4" }, 1],
  // a ring of 8 needs two layers: shortest paths in one direction close it
  ["torus", { sides: "8" }, 2],
  // a ring of 3 has no path of two links
  ["torus", { sides: "3" }, 1],
] as const satisfies readonly (readonly [string, Raw, number])[])("%s %j: %i layers", (name, on, layers) => {
  expect(layered.vcs({ tries: 4 }, build(name, on))).toBe(layers)
})
