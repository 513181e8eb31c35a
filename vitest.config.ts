import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// How long a test takes says something about the machine, not about the program: the limit is only there to end what hangs.
const hangs = 3_600_000

// One file for each core: vitest keeps one core back by default, which on a machine of two doubles the time.
const maxWorkers = availableParallelism()

export default defineConfig({
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: hangs, hookTimeout: hangs, pool: "forks", maxWorkers },
})
