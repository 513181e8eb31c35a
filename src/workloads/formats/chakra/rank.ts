// One .et file: length-prefixed messages, which are the nodes of one rank. `write` converts them into a graph of
// operations.
import { Kind } from "../../program.ts"
import type { RankWriter } from "../../writer.ts"
import { BadTrace, type Complaints } from "../bytes/bad.ts"
import { Kept, type Sink } from "../bytes/sink.ts"
import { type Vertex, writeGraph } from "../graph.ts"
import { baseName, few } from "../trace.ts"
import { type ChakraNode, collectiveTypes, metadataOf, nodeOf, nodeTypes } from "./node.ts"
import { BadMessage, varint } from "./protobuf.ts"

/** Maximum bytes of a message. Nodes contain names and lists of tensors. */
const mostMessage = 16 * 2 ** 20
/** Largest number of microseconds whose picoseconds are below 2^53. */
const mostMicros = 9e9
const mostBytes = 2 ** 52

interface Peers {
  count: number
  bytes: number
  peers: Record<string, number>
}

export class ChakraRank implements Sink {
  readonly name: string
  readonly nodes: ChakraNode[] = []
  done = false
  #version: string | null = null
  readonly #kept = new Kept()
  #base = 0
  #messages = 0

  constructor(name: string) {
    this.name = name
  }
  get rank(): number | undefined {
    const digits = /\.(\d{1,9})\.et$/.exec(this.name)?.[1]
    return digits === undefined ? undefined : Number(digits)
  }

  feed(chunk: Uint8Array): void {
    this.#kept.add(chunk)
    const bytes = this.#kept.bytes
    let at = 0
    try {
      for (;;) {
        const length = varint(bytes, at)
        if (length === undefined) break
        if (length.value > mostMessage)
          throw new BadMessage(at, `a message of ${length.value} bytes, expected at most ${mostMessage}`)
        if (length.next + length.value > bytes.length) break
        this.#message(bytes.slice(length.next, length.next + length.value), length.next)
        at = length.next + length.value
      }
    } catch (e) {
      if (!(e instanceof BadMessage)) throw e
      throw new BadTrace(
        `${this.name}, offset ${this.#base + e.at}, node ${this.nodes.length}`,
        e.message,
        "expected a Chakra execution trace: check the file",
      )
    }
    this.#kept.drop(at)
    this.#base += at
  }
  #message(message: Uint8Array, at: number): void {
    try {
      const first = this.#messages++ === 0 ? metadataOf(message) : undefined
      if (first !== undefined) this.#version = first.version
      else this.nodes.push(nodeOf(message))
    } catch (e) {
      throw e instanceof BadMessage ? new BadMessage(at + e.at, e.message) : e
    }
  }
  end(): void {
    if (this.#kept.length > 0)
      throw new BadTrace(
        `${this.name}, offset ${this.#base}, node ${this.nodes.length}`,
        `the file ends inside a message (${this.#kept.length} bytes of it are there)`,
        "the file is cut off: get it again",
      )
    this.#bytes = this.#base
    this.done = true
  }
  #bytes = 0

  /**
   * Writes the operations and adds errors to `bad`. `ranks` is the size of the whole trace, by which the blocks of
   * collectives are divided.
   */
  write(ranks: number, to: RankWriter, bad: Complaints) {
    const place = new Map(this.nodes.map((n, i) => [n.id, i]))
    if (place.size < this.nodes.length) return bad.add(this.name, "two nodes have the same id", "write the trace again")
    const vertices: Vertex[] = []
    for (const node of this.nodes) {
      const needs: number[] = []
      for (const id of new Set([...node.ctrl, ...node.data])) {
        const at = place.get(id)
        if (at === undefined)
          return bad.add(
            `${this.name}, node ${node.id} (${node.name})`,
            `depends on node ${id}, which is not there`,
            "write the trace again with all nodes",
          )
        needs.push(at)
      }
      const op = operationOf(node, ranks)
      if (typeof op === "string")
        return bad.add(`${this.name}, node ${node.id} (${node.name})`, op, "write the trace again")
      vertices.push({ ...op, needs, started: [] })
    }
    const { circle } = writeGraph(vertices, to)
    if (circle !== undefined) {
      const round = [...circle, circle[0]].map((i) => this.nodes[i].id)
      bad.add(this.name, `nodes depend on each other: ${few(round)}`, "write the trace again")
    }
  }

  summary(): Record<string, unknown> {
    const byType: Record<string, number> = {}
    const collectives: Record<string, { count: number; commSizeTotal: number }> = {}
    const [send, recv]: Peers[] = [
      { count: 0, bytes: 0, peers: {} },
      { count: 0, bytes: 0, peers: {} },
    ]
    const names = new Set<string>()
    let [ctrlDeps, dataDeps, duration] = [0, 0, 0]
    for (const n of this.nodes) {
      const type = nodeTypes[n.type] ?? `TYPE_${n.type}`
      byType[type] = (byType[type] ?? 0) + 1
      ctrlDeps += n.ctrl.length
      dataDeps += n.data.length
      duration += n.duration
      for (const a of n.attributes.keys()) names.add(a)
      const size = numberIn(n, "comm_size") ?? 0
      if (type === "COMM_COLL") {
        const kind = kindName(n)
        const c = (collectives[kind] ??= { count: 0, commSizeTotal: 0 })
        c.count++
        c.commSizeTotal += size
      } else if (type === "COMM_SEND" || type === "COMM_RECV") {
        const to = type === "COMM_SEND" ? send! : recv!
        const peer = String(numberIn(n, type === "COMM_SEND" ? "comm_dst" : "comm_src") ?? "unknown")
        to.count++
        to.bytes += size
        to.peers[peer] = (to.peers[peer] ?? 0) + 1
      }
    }
    return {
      file: baseName(this.name),
      bytes: this.#bytes,
      version: this.#version,
      nodes: this.nodes.length,
      nodesByType: byType,
      ctrlDeps,
      dataDeps,
      durationMicrosTotal: duration,
      ...(send!.count > 0 ? { send } : {}),
      ...(recv!.count > 0 ? { recv } : {}),
      ...(Object.keys(collectives).length > 0 ? { collectives } : {}),
      attrNames: [...names].sort(),
    }
  }
}

function numberIn(node: ChakraNode, name: string): number | undefined {
  const v = node.attributes.get(name)
  if (typeof v === "number") return v
  return v !== undefined && /^\d{1,15}$/.test(v) ? Number(v) : undefined
}

/** Returns the name of the collective. Old versions store a number, others a name. */
function kindName(node: ChakraNode): string {
  const v = node.attributes.get("comm_type") ?? 0
  return typeof v === "number" ? (collectiveTypes[v] ?? `TYPE_${v}`) : v.toUpperCase()
}

const kinds: Readonly<Record<string, Kind>> = {
  ALL_REDUCE: Kind.ALLREDUCE,
  REDUCE: Kind.REDUCE,
  ALL_GATHER: Kind.ALLGATHER,
  GATHER: Kind.GATHER,
  SCATTER: Kind.SCATTER,
  BROADCAST: Kind.BCAST,
  ALL_TO_ALL: Kind.ALLTOALL,
  REDUCE_SCATTER: Kind.REDUCE_SCATTER,
  REDUCE_SCATTER_BLOCK: Kind.REDUCE_SCATTER,
  BARRIER: Kind.BARRIER,
}
/**
 * Collectives whose size is the sum of all blocks, as ASTRA-sim interprets it (the size of an all-gather is one block).
 */
const divided = new Set<Kind>([Kind.REDUCE_SCATTER, Kind.ALLTOALL, Kind.SCATTER])
const rooted = new Set<Kind>([Kind.REDUCE, Kind.GATHER, Kind.SCATTER, Kind.BCAST])

function operationOf(node: ChakraNode, ranks: number): Pick<Vertex, "kind" | "fields"> | string {
  const type = nodeTypes[node.type]
  if (node.duration > mostMicros) return `a duration of ${node.duration} microseconds, expected at most ${mostMicros}`
  if (type === undefined) return `node type ${node.type}, expected 0 to ${nodeTypes.length - 1}`
  if (!type.startsWith("COMM")) return { kind: Kind.COMPUTE, fields: { amount: Math.round(node.duration * 1e6) } }
  const size = numberIn(node, "comm_size")
  if (size !== undefined && !(Number.isInteger(size) && size >= 0 && size <= mostBytes))
    return `comm_size is ${size}, expected bytes`
  if (type === "COMM_COLL") {
    const kind = kinds[kindName(node)]
    if (kind === undefined) return `comm_type is ${kindName(node)}, expected one of ${Object.keys(kinds).join(", ")}`
    const bytes = divided.has(kind) ? Math.ceil((size ?? 0) / ranks) : (size ?? 0)
    return { kind, fields: { amount: bytes, ...(rooted.has(kind) ? { peer: numberIn(node, "comm_src") ?? 0 } : {}) } }
  }
  const which = type === "COMM_SEND" ? "comm_dst" : "comm_src"
  const peer = numberIn(node, which)
  if (peer === undefined || !(Number.isInteger(peer) && peer >= 0 && peer < ranks))
    return `${which} is ${peer ?? "not there"}, expected a rank below ${ranks}`
  const tag = numberIn(node, "comm_tag") ?? 0
  if (!(Number.isInteger(tag) && tag >= 0 && tag < 2 ** 31)) return `comm_tag is ${tag}, expected 0 to 2147483647`
  return { kind: type === "COMM_SEND" ? Kind.SEND : Kind.RECV, fields: { peer, amount: size ?? 0, tag } }
}
