// Reads an adjacency matrix: one row on each line, entries separated by spaces, commas or semicolons. An entry is the
// number of parallel links, 0 means none. Routers are named 0, 1, ...; `#` starts a comment. The matrix must be
// symmetric with an empty diagonal, because links are used in both directions.
import { LinkList, type ReadGraph } from "./list.ts"

export function readAdjacency(source: string): ReadGraph {
  const out = new LinkList()
  const rows: { line: number; entries: number[] }[] = []
  source.split(/\r?\n/).forEach((text, i) => {
    const words = text
      .replace(/#.*/, "")
      .split(/[\s,;]+/)
      .filter((w) => w !== "")
    if (words.length > 0) rows.push({ line: i + 1, entries: words.map(Number) })
  })
  const n = rows.length
  for (let a = 0; a < n; a++) out.router(String(a))
  rows.forEach(({ line, entries }, a) => {
    const where = `file line ${line}`
    if (entries.length !== n)
      out.complain(where, `has ${entries.length} entries in a matrix of ${n} rows`, `write ${n} entries`)
    else if (entries.some((k) => !Number.isInteger(k) || k < 0))
      out.complain(where, "has an entry that is not 0, 1, 2, …", "write numbers of links")
    else {
      for (let b = 0; b < n; b++) {
        const back = rows[b].entries[a]
        if (a < b && back !== entries[b])
          out.complain(
            where,
            `entry ${b} is ${entries[b]}, the one across the diagonal is ${back}`,
            "make the matrix symmetric",
          )
        else if (b >= a && entries[b] > 0) out.link(String(a), String(b), "link", 1, entries[b], where)
      }
    }
  })
  return out.finish(false)
}
