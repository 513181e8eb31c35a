// npm run changelog: prints CHANGELOG.md with the fragments of changes/, newest first.
import { readdirSync, readFileSync } from "node:fs"
import { changelog } from "../dist/manual-pages/changelog.js"

const root = new URL("..", import.meta.url)
const folder = new URL("changes/", root)
console.log(
  changelog(
    readdirSync(folder).map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") })),
    readFileSync(new URL("CHANGELOG.md", root), "utf8"),
  ).trimEnd(),
)
