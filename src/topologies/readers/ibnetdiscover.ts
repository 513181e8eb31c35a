// Reads the topology file that `ibnetdiscover` prints: a block for each switch, channel adapter and router, with one
// line for each port that has a link. A link between two switches stands in both blocks, and they must agree. The
// comment behind `#` holds the node description, the LID and the width and speed of the link.
//
// Limits: a channel adapter that links two switches is two endpoints, one for each port; links between two adapters are
// refused; with lmc above 0 only the base LID of a port is known.
import { type Complaint, complain } from "../../core/complaint.ts"
import { MOST_LID } from "../../model/topology.ts"
import { beyond, MOST_COMPLAINTS, senseOf } from "../edges.ts"

export interface SubnetLink {
  /** routers and physical ports */
  readonly a: number
  readonly portA: number
  readonly b: number
  readonly portB: number
  /** width and speed, for example 4xEDR */
  readonly cable: string
}
export interface SubnetEnd {
  readonly name: string
  readonly router: number
  readonly port: number
  readonly lid: number
  readonly cable: string
}
export interface SubnetFile {
  /** [router] -> GUID, and node description or GUID */
  readonly guids: readonly string[]
  readonly names: readonly string[]
  /** [router] -> largest physical port with a link */
  readonly ports: readonly number[]
  readonly links: readonly SubnetLink[]
  /** in the order of routers and ports */
  readonly ends: readonly SubnetEnd[]
}

/** Physical ports of a switch are numbered from 1 to this. */
const MOST_PORT = 254
/** Class of the links whose width and speed the file does not give. */
const UNKNOWN_CABLE = "cable"

interface Port {
  readonly line: number
  readonly peer: string
  readonly peerPort: number
  /** LID of the port itself (adapters), and of the peer */
  readonly lid: number
  readonly peerLid: number
  readonly peerName: string
  readonly cable: string
}
interface Node {
  readonly id: string
  readonly name: string
  readonly line: number
  readonly ports: Map<number, Port>
}

const nodeLine = /^(Switch|Ca|Rt)\s+(\d+)\s+"([SHR]-[0-9a-fA-F]{1,16})"\s*(?:#(.*))?$/
const portLine =
  /^\[(\d{1,9})\](?:\[ext \d+\])?(?:\([0-9a-fA-F]+\))?\s+"([SHR]-[0-9a-fA-F]{1,16})"\[(\d{1,9})\](?:\[ext \d+\])?(?:\([0-9a-fA-F]+\))?\s*(?:#(.*))?$/
/** Lines that carry nothing about links: attributes of a node, and headings of `ibnetdiscover -g`. */
const passed = /^(?:[a-z]+=\S*|Chassis\b.*|Non-Chassis Nodes|(?:Spine|Line|Leaf) .*)$/
const kinds: Readonly<Record<string, string>> = { S: "Switch", H: "Ca", R: "Rt" }

/** Returns the switches, endpoints and links of a file, and all errors. */
export function readIbnetdiscover(source: string): { file: SubnetFile; bad: Complaint[] } {
  const bad: Complaint[] = []
  const say = (line: number, says: string, fix: string) => {
    if (bad.length < MOST_COMPLAINTS) bad.push(complain(`file line ${line}`, says, fix))
  }
  const nodes = readNodes(source, say)
  const file = wired(nodes, say)
  const { links, ends, names } = file
  if (names.length === 0)
    bad.push(complain("file", "has no switch", 'save the output of ibnetdiscover: Switch 36 "S-…"'))
  else if (ends.length === 0)
    bad.push(complain("file", "has no channel adapter", 'save the output of ibnetdiscover: Ca 1 "H-…"'))
  const cables = new Set([...links, ...ends].map((l) => l.cable))
  const large = beyond(links.length, ends.length, cables.size)
  const edges = links.map(({ a, b }) => ({ a, b, linkClass: "", latency: 1 }))
  const sense = bad.length > 0 ? [] : senseOf(names, edges, true)
  return { file, bad: [...large, ...bad, ...sense].slice(0, MOST_COMPLAINTS) }
}

type Say = (line: number, says: string, fix: string) => void

/** Returns the blocks of the file by id. */
function readNodes(source: string, say: Say): Map<string, Node> {
  const nodes = new Map<string, Node>()
  let open: Node | undefined
  source.split(/\r?\n/).forEach((whole, i) => {
    const line = i + 1
    const text = whole.trim()
    if (text === "" || text.startsWith("#") || passed.test(text)) return
    const head = nodeLine.exec(text)
    if (head !== null) {
      open = opened(nodes, head, line, say)
      return
    }
    const port = portLine.exec(text)
    if (port === null)
      say(line, `"${clip(text)}" is not a line of ibnetdiscover`, 'write [PORT] "S-GUID"[PORT] # "name" lid N 4xEDR')
    else if (open === undefined) say(line, "a port stands before the first node", 'begin with Switch 36 "S-GUID"')
    else addPort(open, port, line, say)
  })
  return nodes
}

/** Starts a block. A node that has a block already is an error. */
function opened(nodes: Map<string, Node>, head: RegExpExecArray, line: number, say: Say): Node {
  const [, kind, , rawId = "", comment = ""] = head
  const id = idOf(rawId)
  if (kinds[id[0]] !== kind) say(line, `"${rawId}" is not the id of a ${kind}`, `write ${kinds[id[0]]} for this id`)
  const before = nodes.get(id)
  if (before !== undefined)
    say(line, `${rawId} has a block already, in line ${before.line}`, "remove one of the two blocks")
  const node = { id, name: nameIn(comment), line, ports: new Map<number, Port>() }
  if (before === undefined) nodes.set(id, node)
  return node
}

function addPort(node: Node, found: RegExpExecArray, line: number, say: Say): void {
  const [, own = "", peer = "", other = "", comment = ""] = found
  const [port, peerPort] = [Number(own), Number(other)]
  const most = (p: number) => p >= 1 && p <= MOST_PORT
  if (!most(port) || !most(peerPort)) {
    say(line, `there is no port ${most(port) ? peerPort : port}`, `ports of a device are 1 to ${MOST_PORT}`)
    return
  }
  const before = node.ports.get(port)
  if (before !== undefined) {
    say(line, `port ${port} has a link already, in line ${before.line}`, "remove one of the two lines")
    return
  }
  const lids = [...comment.replace(/"[^"]*"/g, '"').matchAll(/(")?\s*lid (\d{1,9})/g)]
  const own1 = lids.find((m) => m[1] === undefined)
  const peer1 = lids.find((m) => m[1] !== undefined)
  const [lid, peerLid] = [Number(own1?.[2] ?? 0), Number(peer1?.[2] ?? 0)]
  if (lid > MOST_LID || peerLid > MOST_LID) {
    say(line, `LID ${Math.max(lid, peerLid)} is not a unicast LID`, `write a LID from 1 to ${MOST_LID}`)
    return
  }
  const cable = /\b(\d{1,2}x\w{2,8})\s*$/.exec(comment)?.[1] ?? UNKNOWN_CABLE
  node.ports.set(port, { line, peer: idOf(peer), peerPort, lid, peerLid, peerName: nameIn(comment), cable })
}

/** Joins the ports to links. */
function wired(nodes: ReadonlyMap<string, Node>, say: Say): SubnetFile {
  const switches = [...nodes.values()].filter((n) => n.id.startsWith("S"))
  const numbers = new Map(switches.map((n, i) => [n.id, i]))
  const links: SubnetLink[] = []
  const ends: SubnetEnd[] = []
  switches.forEach((node, a) => {
    for (const [portA, p] of [...node.ports].sort((x, y) => x[0] - y[0])) {
      const back = nodes.get(p.peer)?.ports.get(p.peerPort)
      const known = nodes.has(p.peer)
      if (known && (back === undefined || back.peer !== node.id || back.peerPort !== portA)) {
        const says = `port ${p.peerPort} of ${p.peer} does not name this link`
        say(p.line, says, `write [${p.peerPort}] "${node.id}"[${portA}] in the block of ${p.peer}`)
        continue
      }
      const b = numbers.get(p.peer)
      if (b !== undefined) {
        if (b > a || (b === a && p.peerPort > portA)) links.push({ a, portA, b, portB: p.peerPort, cable: p.cable })
      } else if (p.peer.startsWith("S"))
        say(p.line, `switch ${p.peer} has no block`, `add its block, or remove this line if the switch is down`)
      else {
        const lid = back !== undefined && back.lid > 0 ? back.lid : p.peerLid
        const name = p.peerName === "" ? p.peer.slice(2) : p.peerName
        ends.push({ name, router: a, port: portA, lid, cable: p.cable })
      }
    }
  })
  for (const node of nodes.values()) if (!node.id.startsWith("S")) strayPorts(node, nodes, say)
  const ports = switches.map((n) => Math.max(0, ...n.ports.keys()))
  return { guids: switches.map((n) => n.id.slice(2)), names: uniqueNames(switches), ports, links, ends }
}

/** Reports links of an adapter that no switch names. */
function strayPorts(node: Node, nodes: ReadonlyMap<string, Node>, say: Say): void {
  for (const [port, p] of node.ports) {
    const back = nodes.get(p.peer)?.ports.get(p.peerPort)
    if (!p.peer.startsWith("S"))
      say(p.line, "joins two channel adapters without a switch", "remove this link: it is not part of the fabric")
    else if (back === undefined || back.peer !== node.id || back.peerPort !== port) {
      const says = `port ${p.peerPort} of ${p.peer} does not name this link`
      say(p.line, says, `write [${p.peerPort}] "${node.id}"[${port}] in the block of ${p.peer}`)
    }
  }
}

/** Node descriptions where they are different, otherwise with the GUID. */
function uniqueNames(switches: readonly Node[]): string[] {
  const count = new Map<string, number>()
  for (const { name } of switches) count.set(name, (count.get(name) ?? 0) + 1)
  return switches.map(({ name, id }) => {
    if (name === "") return id.slice(2)
    return count.get(name) === 1 ? name : `${name} (${id.slice(2)})`
  })
}

/** S-0002c9 and S-2C9 are the same node. */
function idOf(written: string): string {
  return `${written.slice(0, 2)}${written.slice(2).toLowerCase().padStart(16, "0")}`
}

/** The node description in quotes; of a switch as a manager writes it, MF0;name:model/unit, the name. */
function nameIn(comment: string): string {
  const text = /"([^"]*)"/.exec(comment)?.[1]?.trim() ?? ""
  return /^MF0;([^:;]+):/.exec(text)?.[1] ?? text
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
