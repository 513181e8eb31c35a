import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { modelCode } from "./scripts/model-code.mjs"

// How long a test takes says something about the machine, not about the program: the limit is only there to end what hangs.
const hangs = 3_600_000

// test/slurm starts a cluster: it is run when it is named, and is no part of npm test
const asked = process.argv.some((a) => a.includes("test/slurm"))
const exclude = ["**/node_modules/**", ...(asked ? [] : ["test/slurm/**"])]

// One file for each core: vitest keeps one core back by default, which on a machine of two doubles the time. (One more than cores gains nothing.)
// Clusters one after the other: each has four nodes of its own.
const maxWorkers = asked ? 1 : availableParallelism()

/** The files that take longest, longest first: one of them begun last would keep one core busy while the others have nothing to do. All others follow in Vitest's order. */
const longest = [
  ...[
    "test/reference/booksim2",
    "test/package",
    "test/experiments",
    "test/consent",
    "test/browser/web",
    "test/predictions",
    "test/effects/effects",
  ],
  ...["test/docs", "test/studio/page", "test/twins/packet-paused", "test/twins/matrix", "test/twins/packet-jobs", "test/twins/engines"],
  ...["src/results/crash", "src/run/packet/run", "test/fuzz", "test/shootout", "test/browser/manual", "test/twins/packet-modes"],
  ...["test/twins/processes", "test/browser/engine", "src/cli/run", "test/studio/live", "test/twins/packet-cases", "src/cli/cluster/on"],
  ...["test/checkpoint", "test/closed-form/attribution-tiled", "test/closed-form/attribution", "test/tiled/stash", "test/tiled/fuzz"],
  ...["test/contract/congestion", "test/contract/endpoint", "test/contract/switch", "test/twins/clocked-jobs", "test/levels/twins"],
  ...["src/run/execute", "src/cli/stops", "test/manual/pages", "test/twins/bursts", "src/draw/report/report"],
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

// Files of one process share the modules that they import (nothing in src keeps a state of its own): else each file pays for all of them again.
export default defineConfig({
  // sources have the name that their bundle would have
  define: { LACEWING_BUILD: JSON.stringify(await modelCode(fileURLToPath(new URL(".", import.meta.url)))) },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude,
    testTimeout: hangs,
    hookTimeout: hangs,
    pool: "forks",
    maxWorkers,
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
