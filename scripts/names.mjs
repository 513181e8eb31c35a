// Runs after the compiler: writes the names and aliases of all plug-ins as types to dist/experiment/names.d.ts. Part of
// the build.
import { writeFileSync } from "node:fs"
import { namedKinds } from "../dist/experiment/names.js"
import { library } from "../dist/library.js"

const lines = namedKinds.map((kind) => {
  const names = library.filter((p) => p.kind === kind).flatMap((p) => [p.name, ...(p.aliases ?? [])])
  return `    readonly ${kind}: ${names.map((name) => JSON.stringify(name)).join(" | ") || "never"};`
})
writeFileSync(
  new URL("../dist/experiment/names.d.ts", import.meta.url),
  `export interface Names {\n${lines.join("\n")}\n}\n`,
)
