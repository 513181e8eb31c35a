// A node of a Chakra execution trace. The versions of the schema store attributes in different fields, so attributes
// are found by name, and a value is accepted in any of its fields.
import { type Field, fields, numbers, textIn } from "./protobuf.ts"

export const nodeTypes: readonly string[] = [
  "INVALID",
  "METADATA",
  "MEM_LOAD",
  "MEM_STORE",
  "COMP",
  "COMM_SEND",
  "COMM_RECV",
  "COMM_COLL",
]
export const collectiveTypes: readonly string[] = [
  "ALL_REDUCE",
  "REDUCE",
  "ALL_GATHER",
  "GATHER",
  "SCATTER",
  "BROADCAST",
  "ALL_TO_ALL",
  "REDUCE_SCATTER",
  "REDUCE_SCATTER_BLOCK",
  "BARRIER",
]

export interface ChakraNode {
  id: number
  name: string
  type: number
  ctrl: number[]
  data: number[]
  /** Microseconds. */
  duration: number
  attributes: Map<string, number | string>
}

export function nodeOf(message: Uint8Array): ChakraNode {
  const node: ChakraNode = { id: 0, name: "", type: 0, ctrl: [], data: [], duration: 0, attributes: new Map() }
  fields(message, (f) => {
    if (f.number === 1) node.id = f.value
    else if (f.number === 2 && f.wire === 2) node.name = textIn(f)
    else if (f.number === 3) node.type = f.value
    else if (f.number === 4) numbers(f, node.ctrl)
    else if (f.number === 5) numbers(f, node.data)
    else if (f.number === 7) node.duration = f.value
    else if (f.number === 10 && f.wire === 2) attribute(f, node.attributes)
  })
  return node
}

/** Returns the version if the first message is metadata; undefined: it is a node. */
export function metadataOf(message: Uint8Array): { readonly version: string | null } | undefined {
  let version: string | null = null
  let node = false
  fields(message, (f) => {
    if (f.number === 1 && f.wire === 2) version = textIn(f)
    else if (f.number === 1 || f.number === 3) node = true
  })
  return node ? undefined : { version }
}

/**
 * Reads an attribute. Field 3 is a float, 5 a double, 15 and 17 zigzag, 23 and 25 signed fixed, 29 text; the other
 * single values are integers.
 */
function attribute(f: Field, to: Map<string, number | string>): void {
  let name: string | undefined
  let value: number | string | undefined
  fields(f.bytes, (a) => {
    if (a.number === 1 && a.wire === 2) name = textIn(a)
    else if (a.number === 2) return
    else if (a.number === 29 && a.wire === 2) value = textIn(a)
    else if (a.wire === 2) value ??= ""
    else if (a.number === 3 || a.number === 5) value = real(a)
    else if (a.number === 15 || a.number === 17) value = a.value % 2 === 0 ? a.value / 2 : -(a.value + 1) / 2
    // Negative numbers use the range from 2^63 on.
    else value = a.value >= 2 ** 63 ? a.value - 2 ** 64 : a.value
  })
  if (name !== undefined) to.set(name, value ?? 0)
}

function real(a: Field): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, a.value % 2 ** 32, true)
  view.setUint32(4, Math.floor(a.value / 2 ** 32), true)
  return a.wire === 5 ? view.getFloat32(0, true) : view.getFloat64(0, true)
}
