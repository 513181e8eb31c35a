// The fuzzer, small: every reader over a few inputs, and the watchdog over readers that misbehave. `node
// scripts/fuzz.mjs --count 1000000` is the large form.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { built, root } from "./support/build.ts"

function fuzz(...args: string[]): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/fuzz.mjs"), "--workers", "1", ...args],
    {
      encoding: "utf8",
    },
  )
  return { status, out: stdout + stderr }
}

/** `node scripts/fuzz.mjs` feeds as many as it is told, from the same generators. */
const PER_READER = 30

test("nothing that reads a file crashes, hangs or believes what was changed", () => {
  built()
  const readers = readdirSync(join(root, "scripts/fuzz/readers")).length
  const { status, out } = fuzz("--count", String(PER_READER * readers))
  expect(out).toContain(`${PER_READER * readers} inputs, seed 1, 0 failures`)
  expect(status).toBe(0)
})

test.runIf(process.platform === "linux")(
  "the watchdog finds what throws, hangs, ends the process or takes the memory",
  () => {
    const readers = mkdtempSync(join(tmpdir(), "lacewing-fuzz-"))
    const misdeeds = `let n = 0
    export default { prepare: async () => [], async read(random, kept) {
      random.int(2)
      const i = Number(process.argv[5]) + n++
      if (i === 1) throw new Error("thrown")
      if (i === 3) for (;;);
      if (i === 5) process.abort()
      if (i === 7) for (;;) kept.push(Buffer.alloc(2 ** 24, 1))
    } }`
    writeFileSync(join(readers, "bad.mjs"), misdeeds)
    try {
      const { status, out } = fuzz("--count", "9", "--readers", readers, "--hang", "2")
      expect([...out.matchAll(/^FAILED bad (\d): (\S+)/gm)].map((m) => `${m[1]} ${m[2]}`)).toEqual([
        "1 Error:",
        "3 hangs",
        "5 the",
        expect.stringMatching(/^7 \d+$/),
      ])
      expect(out).toMatch(/^9 inputs, seed 1, 4 failures/m)
      expect(status).toBe(1)
    } finally {
      rmSync(readers, { recursive: true, force: true })
    }
  },
)
