import { defineConfig } from "vitest/config"

// How long a test takes says something about the machine, not about the program: the limit is only there to end what hangs.
const hangs = 3_600_000

export default defineConfig({
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: hangs, hookTimeout: hangs, pool: "forks" },
})
