// The manual as `npm run manual` makes it.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { manual } from "../support/build.ts"

export interface Site {
  readonly folder: string
  readonly files: readonly string[]
  text(file: string): string
}

export function madeManual(): Site {
  const folder = manual()
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
