// Reads a price list from a YAML or JSON file.

import { bookFrom, type PriceBook } from "../compile/floor/pricebook.ts"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { unreadable } from "../experiment/disk/system-error.ts"
import { readText } from "../experiment/disk/user-file.ts"
import { plainCopy } from "../experiment/plain-copy.ts"
import { yamlSource } from "../experiment/source.ts"
import { mostText } from "../experiment/text.ts"

export function bookFile(path: string): Checked<PriceBook> {
  try {
    return bookText(path, readText(path, mostText))
  } catch (e) {
    return { bad: [complain("book", `${path} ${unreadable(e)}`, "name a YAML or JSON file")] }
  }
}

/** `file`: its name, for complaints. */
export function bookText(file: string, text: string): Checked<PriceBook> {
  const source = yamlSource(file, text)
  if ("bad" in source)
    return {
      bad: source.bad.map(({ says, fix, spot }) => complain("book", `${file}:${spot?.line ?? 1}: ${says}`, fix)),
    }
  const bad: Complaint[] = []
  const value = plainCopy(source.ok.value, (c) => bad.push({ ...c, path: c.path === "" ? "book" : `book.${c.path}` }))
  return bad.length > 0 ? { bad } : bookFrom(value)
}
