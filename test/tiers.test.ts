// The tiers of the tests: each file is in one of them, the first is short, and a file that doubles is found.
import { readdirSync, readFileSync } from "node:fs"
import { join, posix, win32 } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { root } from "./support/build.ts"
import { compare, readTimes } from "./support/times.mjs"
import { globsOf, second, third, tierOf } from "./tiers.mjs"

const files = ["src", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".test.ts")),
)

describe("tiers", () => {
  test("every entry of the lists has a test, and no entry contains another one", () => {
    const entries = [...second, ...third]
    const of = (prefix: string) =>
      files.filter((file) => (prefix.endsWith("/") ? file.startsWith(prefix) : file === prefix))
    expect(entries.filter((prefix) => of(prefix).length === 0)).toEqual([])
    expect(entries.filter((a) => entries.some((b) => a !== b && a.startsWith(b)))).toEqual([])
  })

  test("a file has the same tier with the separators of Windows", () => {
    for (const file of files) expect(tierOf(file.split(posix.sep).join(win32.sep))).toBe(tierOf(file))
    expect(tierOf("test\\slurm\\input.test.ts")).toBe(3)
    expect(tierOf("test\\docs.test.ts")).toBe(2)
    expect(tierOf("test\\documents.test.ts")).toBe(1)
  })

  test("the first tier and the rest share no file, and are everything together", () => {
    const rest = globsOf("rest").include
    expect(globsOf("first").exclude).toEqual(expect.arrayContaining(rest))
    expect(globsOf("all").exclude).toEqual(["**/node_modules/**", "test/slurm/**/*.test.ts"])
  })

  test("the first tier has at most a fifth of the recorded CPU time", () => {
    const recorded = Object.entries(readTimes().files)
    const sum = (of: typeof recorded) => of.reduce((total, [, seconds]) => total + seconds, 0)
    expect(sum(recorded.filter(([file]) => tierOf(file) === 1))).toBeLessThanOrEqual(sum(recorded) / 5)
  })
})

describe("continuous integration", () => {
  const read = (file: string) => readFileSync(join(root, file), "utf8")
  const { scripts } = JSON.parse(read("package.json"))
  const commands = (text: string) => [...text.matchAll(/^\s*(?:- run: )?(npm .+)$/gm)].map((m) => m[1])

  test("the workflow runs the first tier on three systems with Node 20, 22 and 24", () => {
    const { jobs } = parse(read(".github/workflows/ci.yml"))
    expect(jobs.first.strategy.matrix).toEqual({
      os: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: [20, 22, 24],
    })
  })

  test.each([".ci/run", ".github/workflows/ci.yml"])(
    "%s calls both tiers by scripts that exist, no file twice",
    (file) => {
      const called = commands(read(file))
      const names = called.flatMap((c) => /^npm (?:run )?([\w:]+)/.exec(c)?.[1] ?? []).filter((n) => n !== "ci")
      expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
      // what the second call leaves out is what the first one runs
      expect(called).toContain("npm test")
      expect(called.filter((c) => c.startsWith("npm run test:"))).toEqual(["npm run test:all -- --rest"])
    },
  )
})

describe("a file that doubles", () => {
  const recorded = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, 10 + i]))
  const times = (factor: number, other: Record<string, number> = {}) => ({
    ...Object.fromEntries(Object.entries(recorded).map(([file, s]) => [file, s * factor])),
    ...other,
  })

  test("is red: 10 s are allowed 2 x 10 + 5 = 25 s", () => {
    expect(compare(times(1, { f0: 24.9 }), recorded)).toEqual({ factor: 1, slow: [], unknown: [] })
    expect(compare(times(1, { f0: 25.1 }), recorded).slow).toEqual(["f0"])
  })

  test("is found on a machine that takes 1.6 times as long, where nothing else is red", () => {
    expect(compare(times(1.6), recorded)).toMatchObject({ factor: 1.6, slow: [] })
    // 1.6 x 25 s = 40 s
    expect(compare(times(1.6, { f0: 39.9 }), recorded).slow).toEqual([])
    expect(compare(times(1.6, { f0: 40.1 }), recorded).slow).toEqual(["f0"])
  })

  test("of a tenth of a second is red above 5.2 s only", () => {
    const files = { ...recorded, small: 0.1 }
    expect(compare(times(1, { small: 5.1 }), files).slow).toEqual([])
    expect(compare(times(1, { small: 5.3 }), files).slow).toEqual(["small"])
  })

  test("is not judged if fewer than eight files are known, and a file without a record never is", () => {
    expect(compare({ f0: 100, f1: 10, new: 50 }, recorded)).toEqual({ factor: undefined, slow: [], unknown: ["new"] })
    expect(compare(times(1, { new: 500 }), recorded)).toMatchObject({ slow: [], unknown: ["new"] })
  })
})
