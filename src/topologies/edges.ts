// Reads the list-of-links form of a graph file. One link stands on each line: `a b [class [latency]]`, with routers of
// any name; `#` starts a comment. A line `end r [count]` attaches endpoints to router r; without any such line every
// router gets `p` endpoints. `router r` names a router without links. readers/read.ts calls this reader for files with
// no other known ending, and the readers of the other forms share its limits.
import { type Complaint, complain } from "../core/complaint.ts"

export type Edge = { readonly a: number; readonly b: number; readonly linkClass: string; readonly latency: number }
export type EdgeList = {
  readonly names: readonly string[]
  readonly edges: readonly Edge[]
  /** [router] -> endpoints; undefined when the file has no `end` line */
  readonly ends: readonly number[] | undefined
}

/** Upper limits on links and endpoints. A larger number is refused before the network is built, because a file of a few
 *  bytes can request any number. */
export const MOST_LINKS = 5_000_000
export const MOST_ENDS = 5_000_000
/** Maximum latency of a link in cycles, as for the links of an experiment. */
export const MOST_LATENCY = 60_000
/** Maximum number of link classes. */
const MOST_CLASSES = 200
/** Maximum number of errors reported for one file: further ones add no information. */
export const MOST_COMPLAINTS = 100

/** Returns an error for each of the limits above that is exceeded. */
export function beyond(links: number, ends: number, classes: number): Complaint[] {
  const bad: Complaint[] = []
  const most = (what: string, n: number, limit: number) => {
    if (n > limit)
      bad.push(
        complain("file", `has ${n.toLocaleString("en")} ${what}`, `at most ${limit.toLocaleString("en")} can be built`),
      )
  }
  most("links", links, MOST_LINKS)
  most("endpoints", ends, MOST_ENDS)
  most("classes of links", classes, MOST_CLASSES)
  return bad
}

export function readEdges(source: string, duplicates: boolean): { list: EdgeList; bad: Complaint[] } {
  const numbers = new Map<string, number>()
  const names: string[] = []
  const edges: Edge[] = []
  const ends: number[] = []
  const bad: Complaint[] = []
  let anyEnd = false
  const router = (name: string): number => {
    let r = numbers.get(name)
    if (r === undefined) {
      r = names.length
      numbers.set(name, r)
      names.push(name)
      ends.push(0)
    }
    return r
  }
  source.split(/\r?\n/).forEach((line, i) => {
    const words = line.replace(/#.*/, "").trim().split(/\s+/)
    const where = `file line ${i + 1}`
    if (words[0] === "") return
    if (words[0] === "router" && words.length === 2) {
      router(words[1])
    } else if (words[0] === "end" && words.length >= 2 && words.length <= 3) {
      const count = words.length === 3 ? Number(words[2]) : 1
      if (!Number.isInteger(count) || count < 1)
        bad.push(complain(where, `"${words[2]}" is not a number of endpoints`, "write end ROUTER COUNT"))
      else ends[router(words[1])] += count
      anyEnd = true
    } else if (words.length >= 2 && words.length <= 4) {
      const latency = words.length === 4 ? Number(words[3]) : 1
      if (!Number.isInteger(latency) || latency < 1 || latency > MOST_LATENCY)
        bad.push(complain(where, `"${words[3]}" is not a latency in cycles`, "write A B CLASS CYCLES"))
      else edges.push({ a: router(words[0]), b: router(words[1]), linkClass: words[2] ?? "link", latency })
    } else
      bad.push(
        complain(where, `"${line.trim()}" is not a link`, "write A B, A B CLASS, A B CLASS CYCLES or end ROUTER COUNT"),
      )
  })
  const large = beyond(edges.length, total(ends), new Set(edges.map((e) => e.linkClass)).size)
  const all = [...large, ...bad, ...senseOf(names, edges, duplicates)].slice(0, MOST_COMPLAINTS)
  return { list: { names, edges, ends: anyEnd ? ends : undefined }, bad: all }
}

export function total(counts: readonly number[]): number {
  return counts.reduce((a, b) => a + b, 0)
}

/** Links from a router to itself, links written twice, and routers that the others cannot reach. */
export function senseOf(names: readonly string[], edges: readonly Edge[], duplicates: boolean): Complaint[] {
  const bad: Complaint[] = []
  const seen = new Set<string>()
  const parent = names.map((_, i) => i)
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }
  for (const { a, b } of edges) {
    if (a === b) bad.push(complain("file", `router ${names[a]} is linked to itself`, "remove that line"))
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`
    if (!duplicates && seen.has(key))
      bad.push(
        complain(
          "file",
          `${names[a]} ${names[b]} is written twice`,
          "remove one, or set duplicates: true for parallel links",
        ),
      )
    seen.add(key)
    parent[root(a)] = root(b)
  }
  const alone = names.findIndex((_, i) => root(i) !== root(0))
  if (alone >= 0)
    bad.push(
      complain("file", `no path between routers ${names[0]} and ${names[alone]}`, "add links that connect the parts"),
    )
  return bad
}
