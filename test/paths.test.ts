// Paths with the separators of either system. The functions that take paths of users run here with both.
import { expect, test } from "vitest"
import { normal } from "../src/model/host.ts"
import { baseName } from "../src/workloads/formats/trace.ts"

test.each([
  ["ring.edges", "ring.edges"],
  ["a/b/ring.edges", "ring.edges"],
  ["a\\b\\ring.edges", "ring.edges"],
  ["C:\\traces\\a/ring.edges", "ring.edges"],
])("the name of %s", (path, name) => expect(baseName(path)).toBe(name))

test.each([
  ["./a/../b/c.yaml", "b/c.yaml"],
  [".\\a\\..\\b\\c.yaml", "b/c.yaml"],
  ["..\\a\\b", "../a/b"],
  ["C:\\a\\.\\b", "C:/a/b"],
])("%s is the same file as %s", (path, same) => expect(normal(path)).toBe(same))
