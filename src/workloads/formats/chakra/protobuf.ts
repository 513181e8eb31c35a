// Decodes Protocol Buffers (Google's binary encoding) as far as Chakra needs them: a message is a list of numbered
// fields and is read without its schema.

export class BadMessage extends Error {
  readonly at: number
  constructor(at: number, says: string) {
    super(says)
    this.at = at
  }
}

/** A field: a number (varint, fixed32, fixed64) or bytes. */
export interface Field {
  readonly number: number
  readonly wire: number
  /** Value of encoding types 0, 1 and 5; rounded above 2^53. */
  readonly value: number
  /** Bytes of encoding type 2. */
  readonly bytes: Uint8Array
}

const none = new Uint8Array(0)

/** Returns the value of a varint and the position after it, or undefined if more bytes are needed. */
export function varint(b: Uint8Array, from: number): { value: number; next: number } | undefined {
  let value = 0
  let scale = 1
  for (let i = 0; i < 10; i++) {
    const byte = b[from + i]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte < 0x80) return { value, next: from + i + 1 }
  }
  throw new BadMessage(from, "expected a varint of at most 10 bytes")
}

/** Calls `each` for every field of a message, in order. */
export function fields(b: Uint8Array, each: (f: Field) => void): void {
  let at = 0
  const need = (n: { value: number; next: number } | undefined, from: number) => {
    if (n === undefined) throw new BadMessage(from, "the message ends inside a field")
    at = n.next
    return n.value
  }
  while (at < b.length) {
    const from = at
    const key = need(varint(b, at), at)
    const number = Math.floor(key / 8)
    const wire = key % 8
    if (number === 0) throw new BadMessage(from, "a field with the number 0")
    if (wire === 0) each({ number, wire, value: need(varint(b, at), at), bytes: none })
    else if (wire === 2) {
      const length = need(varint(b, at), at)
      if (length > b.length - at) throw new BadMessage(from, `a field of ${length} bytes, ${b.length - at} are left`)
      at += length
      each({ number, wire, value: 0, bytes: b.subarray(at - length, at) })
    } else if (wire === 1 || wire === 5) {
      const size = wire === 1 ? 8 : 4
      if (size > b.length - at) throw new BadMessage(from, "the message ends inside a field")
      const view = new DataView(b.buffer, b.byteOffset + at, size)
      const value = wire === 5 ? view.getUint32(0, true) : view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32
      at += size
      each({ number, wire, value, bytes: none })
    } else throw new BadMessage(from, `a field of wire type ${wire}, expected 0, 1, 2 or 5`)
  }
}

/** Appends a repeated number: packed into bytes, or one by one. */
export function numbers(f: Field, to: number[]): void {
  if (f.wire !== 2) {
    to.push(f.value)
    return
  }
  for (let at = 0; at < f.bytes.length; ) {
    const n = varint(f.bytes, at)
    if (n === undefined) throw new BadMessage(at, "a packed list ends inside a number")
    to.push(n.value)
    at = n.next
  }
}

const decoder = new TextDecoder("utf-8")
export function textIn(f: Field): string {
  return decoder.decode(f.bytes)
}
