// Optional packages: where they are installed they work, and what is missing is said. Nothing else may need them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "./support/build.ts"

const uses: Readonly<Record<string, { for: string; works(module: Record<string, unknown>): void }>> = {
  "@duckdb/node-api": {
    for: "lacewing sql",
    works: (m) => expect(m["DuckDBInstance"]).toBeTypeOf("function"),
  },
  "@resvg/resvg-js": {
    for: "PNG figures",
    works(m) {
      const Resvg = m["Resvg"] as new (svg: string) => { render(): { width: number; asPng(): Uint8Array } }
      const image = new Resvg('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>').render()
      expect(image.width).toBe(3)
      // 0x89 "PNG"
      expect([...image.asPng().subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
    },
  },
}

test("these are the optional dependencies", () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    optionalDependencies: object
  }
  expect(Object.keys(optionalDependencies).sort()).toEqual(Object.keys(uses).sort())
})

test.each(Object.entries(uses))("%s works, or is named as missing", async (name, use) => {
  const module: Record<string, unknown> | undefined = await import(name).catch((e: Error & { code?: string }) => {
    // anything but "not installed" is a broken installation, and fails
    expect(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]).toContain(e.code)
    console.log(
      `MISSING optional package ${name}: ${use.for} will not work here; npm ` +
        "ci installs it where the platform has a build",
    )
    return undefined
  })
  if (module !== undefined) use.works(module)
})
