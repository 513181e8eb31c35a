// Every routing of the library on small instances: always arrives, never more links than allowed, only wired ports and
// VCs that exist, the same answer for the same packet, and (except where the file says that it is not) no cycle among
// the channel dependencies that the walks make.
import { describe, expect, test } from "vitest"
import { alike, walked } from "../../src/inspect/contract/routing.ts"
import { routings } from "../../src/library.ts"
import { pair, routingNamed } from "./cases.ts"
import { cases, title } from "./routing-cases.ts"

test("every routing of the library is in this suite", () => {
  const missing = routings.map((r) => r.name).filter((name) => !cases.some((c) => c.routing === name))
  expect(missing).toEqual([])
})

describe.each(cases.map((c) => [title(c), c] as const))("%s", (_, c) => {
  test.each([0, 3])("with %i VCs to spare: arrives, legal, within its bound", (spare) => {
    const built = pair(c.topology, c.on, c.routing, c.raw ?? {}, spare)
    expect(walked(built, { most: c.most, deadlocks: c.deadlocks === true }, spare)).toEqual([])
  })
  test("answers alike for the same packet", () => {
    expect(alike(pair(c.topology, c.on, c.routing, c.raw ?? {}), routingNamed(c.routing).adaptive)).toEqual([])
  })
})
