// A run of an experiment that is written as a tree, as files are.
import { Catalog } from "../../src/experiment/catalog.ts"
import { complete } from "../../src/experiment/complete.ts"
import { keysOf } from "../../src/experiment/keys.ts"
import { listTraffic } from "../../src/experiment/settings.ts"
import type { RunSpec } from "../../src/model/experiment.ts"

export function sceneSpec(tree: Record<string, unknown>): RunSpec {
  const copy = structuredClone(tree)
  listTraffic(copy)
  const spec = complete(copy, keysOf(new Catalog()))
  if ("bad" in spec) throw new Error(JSON.stringify(spec.bad))
  return { ...spec.ok, seed: 1 }
}
