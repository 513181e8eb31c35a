// Rules of another simulator (`engine.rules`): the plug-ins declare which values their keys have under these rules, and
// each key that the experiment does not set gets that value before the specification is complete. So the values are
// part of the run hash, and an experiment can deviate from a single rule.
import { workloads } from "../../library.ts"
import type { Rule, Rules } from "../../model/plugin.ts"
import type { Catalog } from "../catalog.ts"
import { isMap } from "../fields.ts"
import type { Tree } from "../settings.ts"

type Written = Readonly<Record<string, unknown>>

/** Parts of a network whose rules apply although the experiment does not name them. */
const usual = { switch: "chunk", endpoint: "rails" } as const

/** Returns the tree with the keys that the rules of its engine set. */
export function ruled(tree: Tree, catalog: Catalog): Tree {
  const engine = tree["engine"]
  const rules = isMap(engine) ? engine["rules"] : undefined
  if (typeof rules !== "string" || !isMap(engine) || engine["name"] !== "packet") return tree
  const { network } = tree
  if (!isMap(network)) return tree
  const on = named(network["topology"])?.["name"]
  const keysOf = (of: Rules | undefined): Written =>
    Object.assign({}, ...(of?.[rules] ?? []).filter((r) => servedBy(r, on)).map((r) => r.keys))
  const filled = (kind: "switch" | "endpoint" | "workload", raw: unknown): unknown => {
    const part = named(raw)
    if (part === undefined) return raw
    const { name, ...written } = part
    return { name, ...keysOf(catalog.find(kind, String(name))?.rules), ...written }
  }
  const parts = (["switch", "endpoint"] as const).map((kind) => [kind, filled(kind, network[kind] ?? usual[kind])])
  const job = (raw: unknown): unknown =>
    isMap(raw)
      ? {
          ...raw,
          workload: filled("workload", raw["workload"]),
          mpi: { ...keysOf(workloads.mpiRules), ...(isMap(raw["mpi"]) ? raw["mpi"] : {}) },
        }
      : raw
  const { jobs } = tree
  return {
    ...tree,
    network: { ...network, ...Object.fromEntries(parts) },
    ...(jobs === undefined || jobs === null ? {} : { jobs: Array.isArray(jobs) ? jobs.map(job) : job(jobs) }),
  }
}

function servedBy({ on }: Rule, topology: unknown): boolean {
  return on === undefined || on.includes(String(topology))
}

function named(raw: unknown): Written | undefined {
  if (typeof raw === "string") return { name: raw }
  return isMap(raw) ? raw : undefined
}
