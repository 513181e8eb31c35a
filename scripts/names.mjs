// Runs after the compiler: writes the names and aliases of all plug-ins as types to dist/experiment/names.d.ts. Part of
// the build.
import { readFileSync, writeFileSync } from "node:fs"
import { library } from "../dist/library.js"

const file = new URL("../dist/experiment/names.d.ts", import.meta.url)
const kinds = [
  ...readFileSync(new URL("../src/experiment/names.ts", import.meta.url), "utf8").matchAll(
    /^ {2}readonly (\w+): string$/gm,
  ),
].map((m) => m[1])
const lines = kinds.map((kind) => {
  const names = library.filter((p) => p.kind === kind).flatMap((p) => [p.name, ...(p.aliases ?? [])])
  return `    readonly ${kind}: ${names.map((name) => JSON.stringify(name)).join(" | ") || "never"};`
})
writeFileSync(file, `export interface Names {\n${lines.join("\n")}\n}\n`)
