// After the compiler: copies the recorded tables of other simulators (src/reproduce/peers/**/*.tsv) to the same place
// in dist, because the compiler copies no data. src/reproduce/peers/recorded.ts reads them. Part of the build.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const [from, to] = ["../src/reproduce/peers", "../dist/reproduce/peers"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
for (const file of readdirSync(from, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsv"))) {
  mkdirSync(dirname(join(to, file)), { recursive: true })
  copyFileSync(join(from, file), join(to, file))
}
