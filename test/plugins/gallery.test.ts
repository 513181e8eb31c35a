// The gallery of custom plug-ins: each module is short, fulfils the contracts of its kind, and needs no import.

import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { importsIn } from "../../src/experiment/outside/imports.ts"
import { findingsOf, gallery, load, modules, textOf } from "./support.ts"

test("the gallery has every open kind", async () => {
  const loaded = await Promise.all(modules.map((file) => load(join(gallery, file))))
  const kinds = new Set(loaded.flatMap((m) => m.plugins.map((p) => ("reader" in p ? "trace" : p.kind))))
  expect([...kinds].sort()).toEqual(
    [
      ...["arrivals", "congestion", "endpoint", "pattern", "probe", "qos", "routing", "sizes", "switch", "topology"],
      ...["trace", "workload"],
    ].sort(),
  )
})

describe.each(modules)("%s", (file) => {
  test("has at most 100 lines and imports nothing", () => {
    expect(textOf(file).split("\n").length).toBeLessThanOrEqual(101)
    expect(importsIn(textOf(file))).toEqual([])
  })
  test("fulfils the contracts of its kind", async () => {
    expect(await findingsOf(await load(join(gallery, file)))).toEqual([])
  })
})
