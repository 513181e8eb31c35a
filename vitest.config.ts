import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// How long a test takes says something about the machine, not about the program: the limit is only there to end what hangs.
const hangs = 3_600_000

// test/slurm starts a cluster: it is run when it is named, and is no part of npm test
const asked = process.argv.some((a) => a.includes("test/slurm"))
const exclude = ["**/node_modules/**", ...(asked ? [] : ["test/slurm/**"])]

// One file for each core: vitest keeps one core back by default, which on a machine of two doubles the time. (One more than cores gains nothing.)
// Clusters one after the other: each has four nodes of its own.
const maxWorkers = asked ? 1 : availableParallelism()

// Files of one process share the modules that they import (nothing in src keeps a state of its own): else each file pays for all of them again.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude,
    testTimeout: hangs,
    hookTimeout: hangs,
    pool: "forks",
    maxWorkers,
    isolate: false,
  },
})
