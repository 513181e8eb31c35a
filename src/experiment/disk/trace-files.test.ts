import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { sha256 } from "../../core/sha256.ts"
import { chunksOf, hashOfTrace, partsOf } from "./trace-files.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-trace-files-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(dir, name)
  mkdirSync(path)
  for (const [f, text] of Object.entries(files)) writeFileSync(join(path, f), text)
  return path
}

test("parts of a folder by number, hidden ones left out; a .meta file stands for its ranks", async () => {
  const path = folder("a", {
    "x-10.bin": "",
    "x-2.bin": "",
    ".hidden": "",
    "x.meta": "numprocs=2\nfileprefix=x\n",
    "y-0.bin": "",
  })
  expect((await partsOf(path)).map((p) => p.name)).toEqual(["x-2.bin", "x-10.bin", "x.meta", "y-0.bin"])
  expect((await partsOf(join(path, "x.meta"))).map((p) => p.name)).toEqual(["x.meta", "x-2.bin", "x-10.bin"])
})

test("the hash of a file is its own, that of a folder depends on names and contents, and on nothing else", async () => {
  const path = folder("b", { one: "1", two: "2" })
  expect(await hashOfTrace(join(path, "one"))).toBe(sha256("1"))
  const hash = await hashOfTrace(path)
  expect(hash).toBe(sha256(`${sha256("1")} one\n${sha256("2")} two\n`))
  expect(await hashOfTrace(folder("c", { one: "1", two: "2" }))).toBe(hash)
  expect(await hashOfTrace(folder("d", { one: "1", three: "2" }))).not.toBe(hash)
  expect(await hashOfTrace(folder("e", { one: "1", two: "3" }))).not.toBe(hash)
  symlinkSync(path, join(dir, "link"))
  expect(await hashOfTrace(join(dir, "link"))).toBe(hash)
})

test("a file is read in pieces, once while its size and time stay, and again when they change", async () => {
  const path = folder("f", { one: "1".repeat(600_000), two: "2" })
  const read: string[] = []
  let largest = 0
  async function* counted(file: string) {
    read.push(file.slice(-3))
    for await (const chunk of chunksOf(file)) {
      largest = Math.max(largest, chunk.length)
      yield chunk
    }
  }
  const first = await hashOfTrace(path, counted)
  expect([read, largest]).toEqual([["one", "two"], 2 ** 18])
  expect([await hashOfTrace(path, counted), read.length]).toEqual([first, 2])
  writeFileSync(join(path, "two"), "3")
  utimesSync(join(path, "two"), 1000, 1000)
  expect(await hashOfTrace(path, counted)).not.toBe(first)
  expect(read).toEqual(["one", "two", "two"])
})
