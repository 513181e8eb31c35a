// npm run changelog: the fragments of changes/ as one text, newest first, on standard output.
import { readdirSync, readFileSync } from "node:fs"
import { changelog } from "../dist/pages/changelog.js"

const root = new URL("..", import.meta.url)
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"))
const folder = new URL("changes/", root)
console.log(
  changelog(
    readdirSync(folder).map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") })),
    version,
  ).trimEnd(),
)
