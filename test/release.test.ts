// npm run release in a scratch repository: fragments, versions, commit and tag, and the states in which it refuses.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { changesOf, isAbove, withFragments } from "../scripts/release.mjs"
import { packageVersion } from "../src/experiment/identity/version.ts"
import { root } from "./support/build.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-release-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const author = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" }
const env = { ...process.env, ...author, GIT_CONFIG_GLOBAL: join(dir, "none"), GIT_CONFIG_NOSYSTEM: "1" }
let count = 0
let scratch = ""
const git = (...args: string[]) => spawnSync("git", args, { cwd: scratch, encoding: "utf8", env }).stdout.trim()
const read = (file: string) => readFileSync(join(scratch, file), "utf8")
function release(...args: string[]) {
  const words = [join(root, "scripts/release.mjs"), ...args, "--root", scratch, "--date", "2027-01-31"]
  return spawnSync(process.execPath, words, { encoding: "utf8", env })
}

const [major = 0, minor = 0] = packageVersion.split(".").map(Number)
const next = `${major}.${minor + 7}.0`

beforeEach(() => {
  scratch = join(dir, `${++count}`)
  for (const file of ["package.json", "package-lock.json", "CITATION.cff", "src/experiment/identity/version.ts"])
    cpSync(join(root, file), join(scratch, file))
  writeFileSync(join(scratch, "CHANGELOG.md"), "# Change log\n\nWords.\n\n## 0.0.9 (2020-01-01)\n\nOld.\n")
  for (const [file, text] of [
    ["README.md", "# Changes\n"],
    ["0007-par-on-megafly.md", "PAR routes on megaflies.\n\n- **Measured:** 3 %.\n"],
    ["0012-wider.md", "Routers may have 80 ports.\n"],
  ] as const)
    cpSync(writtenTo(join(dir, "fragment"), text), join(scratch, "changes", file))
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    ["commit", "--quiet", "-m", "Start"],
  ])
    git(...args)
})
function writtenTo(file: string, text: string): string {
  writeFileSync(file, text)
  return file
}

describe("npm run release", () => {
  test("moves the fragments, raises the version in four files, commits and tags", () => {
    const { status, stderr } = release(next)
    expect([status, stderr]).toEqual([0, ""])
    expect(readdirSync(join(scratch, "changes"))).toEqual(["README.md"])
    expect(read("CHANGELOG.md")).toBe(
      `# Change log\n\nWords.\n\n## ${next} (2027-01-31)\n\n### Changes one by one\n\n` +
        "#### 7. Par on megafly\n\nPAR routes on megaflies.\n\n- **Measured:** 3 %.\n\n" +
        "#### 12. Wider\n\nRouters may have 80 ports.\n\n## 0.0.9 (2020-01-01)\n\nOld.\n",
    )
    expect(JSON.parse(read("package.json")).version).toBe(next)
    const lock = JSON.parse(read("package-lock.json"))
    const before = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
    // the package has its version twice in the lock file, and no dependency has changed
    expect(lock).toEqual({
      ...before,
      version: next,
      packages: { ...before.packages, "": { ...before.packages[""], version: next } },
    })
    expect(read("CITATION.cff")).toMatch(new RegExp(`^version: ${next}\ndate-released: 2027-01-31$`, "m"))
    // the version that each run records
    expect(read("src/experiment/identity/version.ts")).toContain(`packageVersion = "${next}"`)
    expect(git("tag", "--list")).toBe(`v${next}`)
    expect(git("log", "-1", "--format=%s")).toBe(`release: ${next}`)
    expect(git("status", "--porcelain")).toBe("")
  })

  test("a dry run changes nothing", () => {
    const { status, stdout } = release(next, "--dry-run")
    expect(status).toBe(0)
    expect(stdout).toContain("remove changes/0007-par-on-megafly.md")
    expect(git("status", "--porcelain")).toBe("")
    expect([git("tag", "--list"), existsSync(join(scratch, "changes/0007-par-on-megafly.md"))]).toEqual(["", true])
  })

  test.each([
    ["no version", "soon", "is no version"],
    ["the present version", packageVersion, "is not above the present version"],
  ])("refuses %s", (_, version, says) => {
    const { status, stderr } = release(version)
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)])
  })

  test("refuses uncommitted changes, and a tag that exists", () => {
    git("tag", `v${next}`)
    expect(release(next).stderr).toContain(`The tag v${next} exists`)
    git("tag", "--delete", `v${next}`)
    writeFileSync(join(scratch, "README.md"), "new\n")
    expect(release(next).stderr).toContain("uncommitted changes")
  })
})

describe("the parts", () => {
  test("versions are compared by number", () => {
    expect([isAbove("0.10.0", "0.9.9"), isAbove("1.0.0", "1.0.0"), isAbove("0.9.9", "0.10.0")]).toEqual([
      true,
      false,
      false,
    ])
  })
  test("a section in preparation is completed in its place at the top", () => {
    const log = "# Log\n\n## 0.2.0 (in preparation)\n\n### Added\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\nB.\n"
    expect(withFragments(log, [{ file: "0001-a-b.md", text: "C.\n" }], "0.2.0", "2027-01-31")).toBe(
      "# Log\n\n## 0.2.0 (2027-01-31)\n\n### Added\n\n- A.\n\n### Changes one by one\n\n#### 1. A b\n\nC.\n\n" +
        "## 0.1.0 (2026-01-01)\n\nB.\n",
    )
  })
  test("this checkout can be released: each place of the version is found", () => {
    const changes = changesOf(root, next, "2027-01-31")
    const texts = Object.entries(changes).filter(([, text]) => text !== null)
    expect(texts.map(([file, text]) => [file, text?.includes(next)])).toEqual(texts.map(([file]) => [file, true]))
    expect(texts).toHaveLength(5)
  })
})
