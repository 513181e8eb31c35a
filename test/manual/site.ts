// The manual as `npm run manual` makes it, in a folder of a test.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { built, root } from "../support/build.ts"

export interface Site {
  readonly folder: string
  readonly files: readonly string[]
  text(file: string): string
}

/** `folder`: inside a checkout, so that links to the package's other files lead where they lead in dist/manual. */
export function madeManual(folder = mkdtempSync(join(tmpdir(), "lacewing-manual-"))): Site {
  built()
  const made = spawnSync(process.execPath, [join(root, "scripts/manual.mjs"), "--out", folder], { encoding: "utf8" })
  if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`)
  const texts = new Map<string, string>()
  return {
    folder,
    files: readdirSync(folder),
    text(file) {
      const text = texts.get(file) ?? readFileSync(join(folder, file), "utf8")
      texts.set(file, text)
      return text
    },
  }
}

export interface Found {
  readonly of: string
  readonly name: string
  readonly also: readonly string[]
  readonly file: string
}

/** The pages and the function of search.js, without a document. */
export function searchOf(site: Site): { pages: readonly Found[]; find(word: string): readonly Found[] } {
  const text = site.text("search.js")
  return new Function(`${text.slice(0, text.indexOf("const input ="))}; return { pages, find }`)()
}
