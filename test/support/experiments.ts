// The experiments of the tree: folders with an experiment.yaml (others hold what a command recorded).
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "./build.ts"

export const experiments = readdirSync(join(root, "experiments")).filter((name) =>
  existsSync(join(root, "experiments", name, "experiment.yaml")),
)

const variants = ["rail-optimised", "clos-2-to-1", "slow-rail"]
/**
 * Smaller networks for the largest experiments, with the same kinds of paths, so that a proof and a run take a second:
 * two pods of eight islands instead of four of 32 (within an island, a pod, and across), and dragonflies with fewer
 * groups.
 */
export const smallerNetwork: Readonly<Record<string, readonly string[]>> = {
  "training-step": [
    ...variants.flatMap((v) => ["islands=16", "reach=8"].map((set) => `variants.${v}.network.topology.${set}`)),
    "variants.rail-only.network.topology.islands=16",
    "variants.dragonfly.network.topology.g=5",
  ],
  interference: [
    ...["a=4", "h=2"].map((set) => `network.topology.${set}`),
    ...["data=2", "tensor=4", "pipeline=2"].map((set) => `jobs.0.workload.${set}`),
    ...["data=16", "expert=16"].map((set) => `jobs.1.workload.${set}`),
    "jobs.2.workload.grid=4x4x2",
  ],
}
