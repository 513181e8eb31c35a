// The studio as one HTML file: the page, its workers, and the input of the command. It opens from disk, without a server.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Given } from "./server.ts"

/** The place of the input in the page that the build writes (scripts/studio.mjs). */
const PLACE = 'data-file="given.json">{}</script>'

/** Returns the page with its input. `site`: the folder of the built studio. */
export function singleFile(site: string, given: Given | undefined): string {
  if (given === undefined) return pageOf(site)
  const { folder, code: _, ...named } = given
  const paths = [named.experiment, ...(named.files ?? []), ...(named.results ?? [])].filter((p) => p !== undefined)
  return embedded(site, named, Object.fromEntries(paths.map((p) => [p, readFileSync(join(folder, p))])))
}

const pageOf = (site: string): string => readFileSync(join(site, "single.html"), "utf8")

/** Returns the page with the contents of files. */
export function embedded(site: string, named: object, files: Readonly<Record<string, Buffer>>): string {
  const contents = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, bytes.toString("base64")]))
  const json = JSON.stringify({ ...named, contents }).replaceAll("<", "\\u003c")
  return pageOf(site).replace(PLACE, () => `data-file="given.json">${json}</script>`)
}
