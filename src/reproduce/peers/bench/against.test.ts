// Two builds in turn: both run at the same time and one at a time, the order does not matter, and nothing is left
// behind.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { benchAgainst } from "./against.ts"
import { openBuild, thisBuild } from "./builds.ts"
import { inTurn } from "./pair.ts"
import { type Subject, subjects } from "./subjects.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-against-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** 0.2 s of CPU, and when they began and ended */
const busy =
  "const from = Date.now(); while (process.cpuUsage().user < 300_000) " +
  "Math.sqrt(2); console.log(JSON.stringify([from, Date.now()]))"

describe("in turn", () => {
  test("neither waits for the end of the other", async () => {
    const [a, b] = (await inTurn(["-e", busy], ["-e", busy])).map((text) => JSON.parse(text) as [number, number])
    expect(a![0]).toBeLessThan(b![1])
    expect(b![0]).toBeLessThan(a![1])
  })
  test("one that fails ends both, with its words", async () => {
    const stuck = ["-e", "setInterval(() => {}, 1000)"]
    await expect(inTurn(stuck, ["-e", "throw new Error('broken here')"])).rejects.toThrow("broken here")
  })
})

test("the ratio is work per CPU second here over there, whichever starts first", async () => {
  const subject: Subject = {
    name: "by formula",
    args: (build) => ["-e", `console.log(${build === thisBuild ? 1.25 : 1})`],
    read: (printed) => ({ work: 10, cpu: Number(printed) }),
  }
  const row = await benchAgainst(subject, { name: "other", root: dir, close() {} }, 5)
  // 10 / 1.25 over 10 / 1
  expect([row.ratio, row.low, row.high].map((x) => x.toFixed(9))).toEqual(Array(3).fill("0.800000000"))
  expect([row.cpuSeconds, row.otherSeconds, row.pairs]).toEqual([1.25, 1, 5])
})

test("a build is a checkout or its folder dist; anything else is refused", () => {
  mkdirSync(join(dir, "old/dist/app"), { recursive: true })
  writeFileSync(join(dir, "old/dist/app/main.js"), "")
  const root = join(dir, "old")
  for (const given of [root, join(root, "dist")]) expect(openBuild(given)).toMatchObject({ ok: { name: given, root } })
  expect(openBuild(dir)).toMatchObject({ bad: [{ says: "has no build in it" }] })
  expect(openBuild("no-such-revision")).toMatchObject({ bad: [{ says: "is neither a folder nor a revision" }] })
})

test("every suite has subjects of its own names, started by programs of the build that is asked", async () => {
  expect(Object.keys(subjects)).toEqual(["booksim2", "codes", "phold", "parallel", "tiled", "growth", "check"])
  for (const of of Object.values(subjects)) {
    const all = of()
    expect(new Set(all.map((s) => s.name)).size).toBe(all.length)
    const args = await all[0].args({ name: "other", root: dir, close() {} })
    expect(args.filter((a) => a.startsWith(dir))).toHaveLength(1)
  }
})
