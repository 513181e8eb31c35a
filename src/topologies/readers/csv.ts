// Reads links as comma-separated values: `from,to[,count[,class[,latency]]]`, one on each line, with routers of any
// name. A first line of words is taken as a heading.
import { LinkList, type ReadGraph } from "./list.ts"

export function readCsv(source: string, duplicates: boolean): ReadGraph {
  const out = new LinkList()
  let heading = true
  source.split(/\r?\n/).forEach((text, i) => {
    const cells = text
      .replace(/#.*/, "")
      .split(",")
      .map((c) => c.trim())
    if (cells.length === 1 && cells[0] === "") return
    const where = `file line ${i + 1}`
    const words = cells.length > 2 ? Number.isNaN(Number(cells[2])) : /^(from,to|source,target)$/i.test(cells.join(","))
    const isHeading = heading && words
    heading = false
    if (isHeading) return
    if (cells.length < 2 || cells.length > 5 || cells[0] === "" || cells[1] === "")
      out.complain(where, `"${text.trim()}" is not a link`, "write FROM,TO or FROM,TO,COUNT,CLASS,CYCLES")
    else out.link(cells[0], cells[1], cells[3] ?? "link", Number(cells[4] ?? 1), Number(cells[2] ?? 1), where)
  })
  return out.finish(duplicates)
}
