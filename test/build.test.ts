// The program can be started by its name after every build, not only after the first one that npm has linked. A build
// is named by its model code.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { modelCode } from "../scripts/model-code.mjs"
import { build, buildVersion, packageVersion } from "../src/experiment/identity/version.ts"
import { root } from "./support/build.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-build-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a build that npm has not linked leaves a program that can be executed: so does every later one", () => {
  const program = join(folder, "dist/app/main.js")
  mkdirSync(join(folder, "dist"))
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  const build = spawnSync(process.execPath, [join(root, "scripts/bundle.mjs"), join(folder, "dist/app")], {
    encoding: "utf8",
  })
  expect([build.status, build.stderr]).toEqual([0, ""])
  expect(statSync(program).mode & 0o777).toBe(0o755)
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" })
  // a development build: the name of its model code, which is that of the sources that run here
  expect([status, stdout]).toEqual([0, `${buildVersion}\n`])
})

test("one comparison in an arbiter gives a build another name, and a comment or a command does not", async () => {
  const copy = join(folder, "sources")
  cpSync(join(root, "src"), join(copy, "src"), { recursive: true })
  cpSync(join(root, "package.json"), join(copy, "package.json"))
  const edited = async (file: string, from: string, to: string): Promise<string> => {
    const path = join(copy, "src", file)
    const text = readFileSync(path, "utf8")
    expect(text).toContain(from)
    writeFileSync(path, text.replace(from, to))
    const name = await modelCode(copy)
    writeFileSync(path, text)
    return name
  }
  // the same sources in another folder
  expect(await modelCode(copy)).toBe(build)
  const arbiter = "switches/parts/matching.ts"
  expect(await edited(arbiter, "lowBit(m !== 0 ? m : low)", "lowBit(m === 0 ? m : low)")).not.toBe(build)
  expect(await edited(arbiter, "/** Returns the first member", "/** Returns the first one")).toBe(build)
  expect(await edited("cli/report.ts", "run the experiment again", "run it again")).toBe(build)
})

test("a release, which npm pack builds, has no such name: its results outlive restarts and updates", () => {
  const app = join(folder, "release/dist/app")
  const env = { ...process.env, LACEWING_RELEASE: "1" }
  cpSync(join(root, "package.json"), join(folder, "release/package.json"))
  const bundled = spawnSync(process.execPath, [join(root, "scripts/bundle.mjs"), app], { encoding: "utf8", env })
  expect([bundled.status, bundled.stderr]).toEqual([0, ""])
  const lacewing = (...args: string[]) => spawnSync(join(app, "main.js"), args, { encoding: "utf8", cwd: folder })
  expect(lacewing("--version").stdout).toBe(`${packageVersion}\n`)
  const network = "network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order }"
  const measure = "measure: { warmup: 10cycles, window: 50cycles, limit: 1kcycles }"
  writeFileSync(join(folder, "small.yaml"), `lacewing: 1\n${network}\ntraffic: { load: 0.1 }\n${measure}\n`)
  const known = () => JSON.parse(lacewing("run", "small.yaml", "--json", "--workers", "1", "--no-report").stdout).known
  expect([known(), known()]).toEqual([false, true])
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(scripts.prepack).toBe("node scripts/prepack.mjs")
  expect(readFileSync(join(root, "scripts/prepack.mjs"), "utf8")).toContain('LACEWING_RELEASE: "1"')
})
