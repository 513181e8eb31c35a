import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { modelCode } from "./scripts/model-code.mjs"
import { readTimes } from "./test/support/times.mjs"
import { globsOf, third } from "./test/tiers.mjs"

// How long a test takes says something about the machine, not about the program: the limit is only there to end what
// hangs.
const hangs = 3_600_000

// The tests of the third tier start a cluster: they run when they are named.
const asked = process.argv.some((a) => third.some((prefix) => a.includes(prefix.slice(0, -1))))
const { LACEWING_TIER: tier } = process.env
const globs = globsOf(tier === "first" || tier === "rest" ? tier : "all")

// One file for each core: vitest keeps one core back by default, which on a machine of two doubles the time. (One more
// than cores gains nothing.) Clusters one after the other: each has four nodes of its own.
const maxWorkers = asked ? 1 : availableParallelism()

const { files: recorded } = readTimes()

/** The files that take longest, longest first: one of them begun last would keep one core busy while the others have
 *  nothing to do. Files without a recorded time follow. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) =>
      recorded[moduleId.slice(root.length).replaceAll("\\", "/")] ?? 0
    return (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a))
  }
}

const root = fileURLToPath(new URL(".", import.meta.url))

// Files of one process share the modules that they import (nothing in src keeps a state of its own): else each file
// pays for all of them again.
export default defineConfig({
  test: {
    // Sources have the name that their bundle would have. Vite's `define` would not be part of the keys of the cache.
    provide: { build: await modelCode(root) },
    // Transformed sources are kept in node_modules, because each start would otherwise need 5 s of CPU time for them.
    experimental: { fsModuleCache: true },
    include: globs.include,
    exclude: asked ? ["**/node_modules/**"] : globs.exclude,
    testTimeout: hangs,
    hookTimeout: hangs,
    pool: "forks",
    maxWorkers,
    isolate: false,
    setupFiles: ["test/support/build-name.ts", "test/support/seed.ts", "test/support/record-cpu.ts"],
    sequence: { sequencer: LongestFirst },
  },
})
