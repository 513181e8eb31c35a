// The variants of the arena follow from what the plug-ins declare.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { plainScale } from "../../src/core/units.ts"
import { isCongestion, only } from "../../src/experiment/outside/kinds.ts"
import { arenaVariant, arenaVariants } from "../../src/inspect/arena.ts"
import { congestions } from "../../src/library.ts"
import { gallery, load } from "./support.ts"

const tree = parse(readFileSync(join(gallery, "../../experiments/arena/experiment.yaml"), "utf8"))

test("the bundled arena has a variant for each protocol, with the VCs that it declares", () => {
  const vcs: number = tree.network.switch.vcs
  const got = arenaVariants(tree, congestions, plainScale)
  expect("ok" in got && Object.keys(got.ok)).toEqual(Object.keys(tree.variants))
  for (const plugin of congestions) {
    const written = tree.variants[plugin.name]
    const { name: _, ...raw } = written.network?.congestion ?? {}
    expect({ [plugin.name]: arenaVariant(plugin, vcs, plainScale, raw) }).toEqual({ [plugin.name]: { ok: written } })
  }
})

test("a custom protocol is added with one VC for its control packets", async () => {
  const { plugins } = await load(join(gallery, "swift.mjs"))
  const got = arenaVariants(tree, [only(plugins[0], isCongestion)], plainScale)
  expect("ok" in got && got.ok["my.swift"]).toEqual({
    network: { congestion: { name: "my.swift" }, switch: { vcs: tree.network.switch.vcs + 1 } },
  })
})

test("an experiment without VCs in the switch is refused", () => {
  const got = arenaVariants({ variants: {} }, congestions, plainScale)
  expect("bad" in got && got.bad[0].path).toBe("network.switch.vcs")
})
