// The flit engine and the packet engine are two views of one network: `lacewing validate twins` has all rows, here are
// a few of each kind.
import { describe, expect, it } from "vitest"
import { validateTwins } from "../../src/reproduce/peers/validate/twins.ts"

describe("flit engine and packet engine", () => {
  for (const [what, match, rows] of [
    ["every pipeline at zero load", /^mesh.*flit/, 36],
    ["packets of four flits at zero load", /^dragonfly.*4 flits/, 18],
    ["under load", /^(dragonfly|Slim Fly).*load 0\.3/, 4],
  ] as const)
    it(`agree: ${what}`, async () => {
      const got = await validateTwins({ full: false, match })
      expect(got.rows).toHaveLength(rows)
      expect(got.rows.filter((r) => r.pass !== true)).toEqual([])
    })
})
