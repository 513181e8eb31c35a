// The tiers of the tests. The first tier (npm test) has every test file that is not named here. The second tier
// (npm run test:all) has the files and folders below, because they are long, or need browsers or a packed package. The
// third tier (npm run test:long) is started by hand.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Prefixes of paths: a folder ends in "/". test/tiers.test.ts checks that each of them has a test. */
export const second = [
  // whole commands, pages, packages and reference simulators
  "test/browser/web.test.ts",
  "test/browser/engine.test.ts",
  "test/browser/manual.test.ts",
  "test/build.test.ts",
  "test/checkpoint.test.ts",
  "test/consent.test.ts",
  "test/docs.test.ts",
  "test/experiments.test.ts",
  "test/fuzz.test.ts",
  "test/manual/",
  "test/package.test.ts",
  "test/predictions.test.ts",
  "test/reference/",
  "test/safe.test.ts",
  "test/shootout.test.ts",
  "test/studio/",
  // many simulations: one result in all modes, every key has an effect, the single switches and protocols
  "test/allocation.test.ts",
  "test/closed-form/collectives.test.ts",
  "test/combined/",
  "test/congestion/",
  "test/deadlock.test.ts",
  "test/effects/",
  "test/infiniband/",
  "test/levels/",
  "test/qos/mix.test.ts",
  "test/omni-path/",
  "test/papers/",
  "test/plugins/",
  "test/queue-scheme/",
  "test/revisions/",
  "test/tiled/",
  "test/transfers/",
  "test/twins/",
  // conformance tests that simulate or prove many networks
  "test/contract/behaviour.test.ts",
  "test/contract/outside.test.ts",
  "test/contract/proof.test.ts",
  "test/contract/renamed.test.ts",
  // units that start processes, or are long
  "src/cli/cluster/on.test.ts",
  "src/cli/hostile.test.ts",
  "src/cli/run.test.ts",
  "src/cli/stops.test.ts",
  "src/draw/report/report.test.ts",
  "src/engines/steady.test.ts",
  "src/experiment/outside/outside.test.ts",
  "src/inspect/shootout/shootout.test.ts",
  "src/reproduce/papers/falsifiable.test.ts",
  "src/reproduce/peers/import/import.test.ts",
  "src/reproduce/peers/plain-chunk.test.ts",
  "src/results/crash.test.ts",
  "src/results/store.test.ts",
  "src/sweep/execute.test.ts",
  "src/run/packet/run.test.ts",
]

/** Tests that start a cluster: only in the third tier, and when they are named. */
export const third = ["test/slurm/"]

/** Returns the tier of a test file: 1, 2 or 3. The path is relative to the root, with either separator. */
export function tierOf(path) {
  const file = path.replaceAll("\\", "/")
  const isIn = (prefixes) => prefixes.some((p) => (p.endsWith("/") ? file.startsWith(p) : file === p))
  return isIn(third) ? 3 : isIn(second) ? 2 : 1
}

/** Returns what Vitest includes and excludes for "first", "rest" or "all". */
export function globsOf(tier) {
  const glob = (prefix) => (prefix.endsWith("/") ? `${prefix}**/*.test.ts` : prefix)
  const all = ["src/**/*.test.ts", "test/**/*.test.ts"]
  return {
    include: tier === "rest" ? second.map(glob) : all,
    exclude: ["**/node_modules/**", ...third.map(glob), ...(tier === "first" ? second.map(glob) : [])],
  }
}

/** Returns the test files that draw random cases. */
export function propertyTests() {
  const root = fileURLToPath(new URL("..", import.meta.url))
  return ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(".test.ts") && tierOf(file) < 3)
      .filter((file) => readFileSync(join(root, file), "utf8").includes('from "fast-check"')),
  )
}

/** Files of the second tier that test a sample of a matrix (test/support/sample.ts). */
const matrices = ["src/run/packet/run.test.ts", "test/twins/packet-modes.test.ts", "test/browser/manual.test.ts"]

/** Steps of the third tier: arguments of Node, and variables of its environment. */
export const long = [
  ["all of BookSim2", ["dist/app/main.js", "validate", "booksim2", "--full", "--quiet"]],
  ["all of CODES", ["dist/app/main.js", "validate", "codes", "--full", "--quiet"]],
  ["property tests, drawn anew", ["test/run.mjs", "random"]],
  ["damaged files", ["scripts/fuzz.mjs", "--count", "20000"]],
  ["studio links", ["scripts/fuzz-link.mjs"]],
  ["proofs at full size", ["dist/app/main.js", "check", "experiments/training-step", "--quick"]],
  ["a proof of a large dragonfly", ["dist/app/main.js", "check", "experiments/interference", "--quick"]],
  ["tiled switches", ["scripts/fuzz-tiled.mjs", "--count", "300"]],
  ["modes and workers", ["scripts/matrix.mjs", "--seconds", "900"]],
  ["killed runs", ["scripts/kill-checkpoint.mjs", "--busy"]],
  ["failing workers", ["scripts/stress-failure.mjs", "--failures", "2000"]],
  ["other versions of Node", ["scripts/node-matrix.mjs"]],
  ["whole matrices", ["node_modules/vitest/vitest.mjs", "run", ...matrices], { LACEWING_WHOLE: "1" }],
  ["Slurm", ["node_modules/vitest/vitest.mjs", "run", "test/slurm"]],
]
