// The bundle in dist/app asks for nothing that an installation does not have: Node's own modules and the packages that
// package.json names.
import { readdirSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { expect, test } from "vitest"
import { built, root } from "./support/build.ts"

test("every import of the bundle is there after npm install", () => {
  const folder = join(built(), "app")
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const ours = Object.keys({ ...dependencies, ...optionalDependencies })
  const files = readdirSync(folder).filter((f) => f.endsWith(".js"))
  const asked = files.flatMap((f) =>
    [...readFileSync(join(folder, f), "utf8").matchAll(/^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["']/gm)].map(
      (m) => `${f}: ${m[1]}`,
    ),
  )
  const missing = asked.filter((a) => {
    const id = a.slice(a.indexOf(": ") + 2)
    return !(id.startsWith("./") || isBuiltin(id) || ours.some((p) => id === p || id.startsWith(`${p}/`)))
  })
  expect(files).toContain("main.js")
  expect(asked.length).toBeGreaterThan(files.length)
  expect(missing).toEqual([])
})
