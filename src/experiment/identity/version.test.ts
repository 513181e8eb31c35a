import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { packageVersion } from "./version.ts"

test("the version is that of package.json", () => {
  expect(packageVersion).toBe(
    JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version,
  )
})
