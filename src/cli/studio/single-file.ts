// The studio as one HTML file: the page, its workers, and the input of the command. It opens from disk, without a server.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Given } from "./server.ts"

/** The place of the input in the page that the build writes (scripts/studio.mjs). */
const PLACE = 'data-file="given.json">{}</script>'

/** Returns the page with its input. `site`: the folder of the built studio. */
export function singleFile(site: string, given: Given | undefined): string {
  const page = readFileSync(join(site, "single.html"), "utf8")
  if (given === undefined) return page
  const { folder, code: _, ...named } = given
  const paths = [named.experiment, ...(named.files ?? []), ...(named.results ?? [])].filter((p) => p !== undefined)
  const contents = Object.fromEntries(paths.map((p) => [p, readFileSync(join(folder, p)).toString("base64")]))
  const json = JSON.stringify({ ...named, contents }).replaceAll("<", "\\u003c")
  return page.replace(PLACE, () => `data-file="given.json">${json}</script>`)
}
