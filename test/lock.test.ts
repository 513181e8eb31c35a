// package-lock.json: every package has the hash of its content, and no entry has an address to download it from.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "./support/build.ts"

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Readonly<Record<string, Entry>>
}
const locked = Object.entries(packages).filter(([path]) => path !== "")
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

/** Programs of two development tools for other systems. The registry did not offer these versions when their hashes
 *  were asked for. `node scripts/integrity.mjs` adds a hash as soon as the registry states one; the name is removed
 *  here then. */
const unknown = [
  ...["android-arm64", "android-x64", "darwin-arm64", "darwin-x64", "win32-arm64", "win32-x64"].map(
    (s) => `@biomejs/cli-${s}`,
  ),
  ...["android-arm-eabi", "android-arm64", "darwin-arm64", "darwin-x64", "freebsd-x64", "linux-arm-gnueabihf"].map(
    (s) => `@rolldown/binding-${s}`,
  ),
  ...["linux-ppc64-gnu", "linux-s390x-gnu", "openharmony-arm64", "win32-arm64-msvc", "win32-x64-msvc"].map(
    (s) => `@rolldown/binding-${s}`,
  ),
]

test("every locked package has the hash of its content", () => {
  expect(locked.length).toBeGreaterThan(200)
  const without = locked.filter(([, e]) => !/^sha512-[\w+/]{86}==$/.test(e.integrity ?? ""))
  expect(without.map(([path]) => nameOf(path))).toEqual(unknown)
  // none of them is a part of the program, and npm installs none of them on another system
  expect(without.filter(([, e]) => e.dev !== true || e.optional !== true)).toEqual([])
})

test("the lock file has no download addresses", () => {
  expect(locked.filter(([, e]) => e.resolved !== undefined)).toEqual([])
  expect(JSON.stringify(locked.map(([, e]) => [e.version, e.resolved]))).not.toMatch(/https?:|git[+:]|file:/)
})
