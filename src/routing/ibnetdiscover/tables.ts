// Reads linear forwarding tables: the output of `dump_lfts.sh` or of several `ibroute` calls, and the dump of OpenSM
// (opensm-lfts.dump). The table of a switch begins with a line `Unicast lids … guid 0x…`, and each of its lines has a
// LID and an output port. Multicast tables are skipped.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { MOST_LID, type Subnet } from "../../model/topology.ts"

/** [router * endpoints + endpoint] -> physical port; 0 = none */
export type ForwardingTables = Uint8Array

/** Largest number of entries of all tables. */
const MOST_ENTRIES = 2 ** 28
const MOST_COMPLAINTS = 100
/** An entry with this port drops the packet. */
const DROPPED = 255

const heading = /^Unicast lids\b.*\bguid\s+0x([0-9a-fA-F]{1,16})\b/
const older = /^(?:\S+:\s*)?Switch 0x([0-9a-fA-F]{1,16})$/
const entry = /^0x([0-9a-fA-F]{1,8})\s*(?::\s*)?(\d{1,9})\b/
const passed = /^(?:Lid\s+Out\b.*|LID\s*:\s*Port\b.*|Port\s+Info|\d+ valid (?:lids|mlids) dumped.*|#.*|)$/
const unreachable = /^0x[0-9a-fA-F]{1,8}\s*:?\s*(?:UNREACHABLE|path )/i

/** Returns the tables of all switches, and all errors in the text. */
export function readTables(source: string, subnet: Subnet): { tables: ForwardingTables; bad: Complaint[] } {
  const { guids, lids, graph } = subnet
  const { ends, routers } = graph
  const bad: Complaint[] = []
  const say = (line: number, says: string, fix: string) => {
    if (bad.length < MOST_COMPLAINTS) bad.push(complain(`file line ${line}`, says, fix))
  }
  if (routers * ends > MOST_ENTRIES) {
    const says = `${routers} switches and ${ends} endpoints need ${routers * ends} entries`
    return { tables: new Uint8Array(0), bad: [complain("file", says, `at most ${MOST_ENTRIES} can be read`)] }
  }
  const tables = new Uint8Array(routers * ends)
  const routerOf = new Map(guids.map((g, r) => [g, r]))
  const endOf = new Map(lids.map((lid, e) => [lid, e]))
  const seen = new Map<number, number>()
  /** the open table; undefined: none yet or not of this fabric, null: a multicast table */
  let at: number | undefined | null
  let any = false
  source.split(/\r?\n/).forEach((whole, i) => {
    const line = i + 1
    const text = whole.trim()
    if (/^Multicast mlids\b/.test(text)) at = null
    const head = heading.exec(text) ?? older.exec(text)
    if (head !== null) {
      any = true
      const guid = head[1].toLowerCase().padStart(16, "0")
      at = routerOf.get(guid)
      if (at === undefined) say(line, `switch ${guid} is not in the fabric`, "dump both files from the same fabric")
      else if (seen.has(at)) say(line, `switch ${guid} has a table already, in line ${seen.get(at)}`, "remove one")
      if (at !== undefined) seen.set(at, line)
      return
    }
    if (at === null || passed.test(text) || unreachable.test(text)) return
    const found = entry.exec(text)
    if (found === null) say(line, `"${clip(text)}" is not an entry`, "write LID PORT, for example 0x0005 019")
    else if (!any) say(line, "an entry stands before the first table", "begin with Unicast lids … guid 0x…")
    else if (at !== undefined) addEntry(tables, found, { at, line, ends, endOf, graph }, say)
  })
  if (!any) bad.push(complain("file", "has no forwarding table", "save the output of dump_lfts.sh"))
  return { tables, bad }
}

interface Row {
  readonly at: number
  readonly line: number
  readonly ends: number
  readonly endOf: ReadonlyMap<number, number>
  readonly graph: Graph
}

/** Adds one entry. LIDs of switches and of ports that are down are not used by any packet. */
function addEntry(
  tables: ForwardingTables,
  [, rawLid = "", rawPort = ""]: RegExpExecArray,
  { at, line, ends, endOf, graph }: Row,
  say: (line: number, says: string, fix: string) => void,
): void {
  const lid = Number.parseInt(rawLid, 16)
  const port = Number(rawPort)
  const ports = graph.firstChan[at + 1] - graph.firstChan[at]
  if (lid > MOST_LID) {
    say(line, `0x${rawLid} is not a unicast LID`, `write a LID of at most 0x${MOST_LID.toString(16)}`)
    return
  }
  const e = endOf.get(lid)
  if (e === undefined || port === DROPPED) return
  const i = at * ends + e
  if (port > ports || port === 0)
    say(line, `LID ${lid} leaves by port ${port}, which has no link`, `write one of the linked ports, up to ${ports}`)
  else if (tables[i] !== 0 && tables[i] !== port)
    say(line, `LID ${lid} has an entry already, port ${tables[i]}`, "remove one of the two")
  else tables[i] = port
}

/** Returns errors unless the tables lead every packet from every switch with endpoints to its destination. */
export function unled(subnet: Subnet, tables: ForwardingTables): Complaint[] {
  const { graph, lids } = subnet
  const { ends, routers, routerOf, home, entry: entries, firstChan, far } = graph
  const none = lids.indexOf(0)
  if (none >= 0)
    return [
      complain(
        "",
        `${subnet.endNames[none]} has no LID in the topology file, so no forwarding table leads to it`,
        "save the output of ibnetdiscover while the subnet manager runs",
      ),
    ]
  const owner = new Map(lids.map((lid, e) => [lid, e]))
  const twice = lids.findIndex((lid, e) => owner.get(lid) !== e)
  if (twice >= 0)
    return [complain("", `LID ${lids[twice]} belongs to two endpoints`, "save the output of ibnetdiscover again")]
  const from = [...new Set(Array.from(entries, (c) => routerOf[c]))]
  const name = (r: number, port: number) => `${subnet.label(r)} port ${port}`
  /** [router] -> 1 + number of the destination for which it was visited last; negative: it is on the current path */
  const state = new Int32Array(routers)
  for (let e = 0; e < ends; e++) {
    const goal = home[e]
    const to = `LID ${lids[e]} (${subnet.endNames[e]})`
    for (const start of from) {
      const path: number[] = []
      let at = start
      while (state[at] !== e + 1) {
        if (state[at] === -(e + 1)) {
          const loop = path.slice(path.indexOf(at)).map((r) => name(r, tables[r * ends + e]))
          return [complain("file", `packets for ${to} loop: ${loop.join(" -> ")}`, "correct these entries")]
        }
        const port = tables[at * ends + e]
        if (port === 0)
          return [complain("file", `${subnet.label(at)} has no entry for ${to}`, "dump the tables of all switches")]
        state[at] = -(e + 1)
        path.push(at)
        const c = firstChan[at] + port - 1
        if (c === goal) break
        if (far[c] < 0) {
          const says = `${name(at, port)} has no link to a switch, but packets for ${to} leave there`
          return [complain("file", says, "dump the tables after the subnet manager has routed around failed links")]
        }
        at = routerOf[far[c]]
      }
      for (const r of path) state[r] = e + 1
    }
  }
  return []
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
