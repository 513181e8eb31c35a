// The imports of a module, read from its text: all that Node would load, and nothing that only looks like an import.
import { describe, expect, test } from "vitest"
import { computed, importsIn } from "./imports.ts"

describe("imports are found", () => {
  const cases: readonly [string, readonly string[]][] = [
    ['import a from "lib"', ["lib"]],
    ["import * as a from 'lib'", ["lib"]],
    ['import {\n  a,\n  b as c,\n} from "lib"', ["lib"]],
    ['import a, { "x y" as b } from "lib"', ["lib"]],
    ['import{a}from"lib"', ["lib"]],
    ['import "lib"', ["lib"]],
    ['export * from "lib"', ["lib"]],
    ['export { a } from "./lib.mjs"', ["./lib.mjs"]],
    ['const a = await import("lib")', ["lib"]],
    ['import /* why */ a from /* here */ "lib"', ["lib"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a module
    ["const a = `x ${await import('lib')} y`", ["lib"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a module
    ["const a = `x ${`${1}` + { b: 2 }.b} y`\nimport 'lib'", ["lib"]],
    ["const a = /[\"'`/]/g.test(b)\nimport 'lib'", ["lib"]],
    ["const a = b / 2\nconst c = '/'\nimport 'lib'", ["lib"]],
    ["import(address)", [computed]],
    ['import("a" + b)', [computed]],
    ['const a = require("lib")', ["lib"]],
    ['import type from "lib"', ["lib"]],
    ['import type, { a } from "lib"', ["lib"]],
    ['import a from "one"; import b from "two"', ["one", "two"]],
  ]
  test.each(cases)("%s", (text, addresses) => expect(importsIn(text)).toEqual(addresses))
})

describe("no import is seen", () => {
  const cases: readonly string[] = [
    '// import a from "lib"',
    '/* import a from "lib" */',
    "const a = \"import b from 'lib'\"",
    "const a = `import b from 'lib'`",
    'throw new Error(`a packet from "a"`)',
    "const a = \"taken from 'the paper'\"",
    'import type { A } from "lib"',
    'export type { A } from "lib"',
    "const here = import.meta.url",
    'a.import("lib")',
    'const a = { import: 3, from: "lib" }',
    'export const from = "lib"',
    'export default { from: "lib" }',
    "const a = /import a from 'lib'/",
    'Array.from("abc")',
  ]
  test.each(cases)("%s", (text) => expect(importsIn(text)).toEqual([]))
})
