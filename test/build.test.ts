// The program can be started by its name after every build, not only after the first one that npm has linked.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { root } from "./support/build.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-build-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a build that npm has not linked leaves a program that can be executed: so does every later one", () => {
  const program = join(folder, "dist/app/main.js")
  mkdirSync(join(folder, "dist"))
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  const build = spawnSync(process.execPath, [join(root, "scripts/bundle.mjs"), join(folder, "dist/app")], { encoding: "utf8" })
  expect([build.status, build.stderr]).toEqual([0, ""])
  expect(statSync(program).mode & 0o777).toBe(0o755)
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" })
  expect([status, stdout]).toEqual([0, "0.1.0\n"])
})
