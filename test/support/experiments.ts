// The experiments of the tree: folders with an experiment.yaml (others hold what a command recorded).
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "./build.ts"

export const experiments = readdirSync(join(root, "experiments")).filter((name) =>
  existsSync(join(root, "experiments", name, "experiment.yaml")),
)
