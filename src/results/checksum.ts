// Checksums that are stored inside a file, so that a reader can verify the file without any other file.
import type { Digest } from "./folder/folder.ts"

const TAG = new TextEncoder().encode("lacewing")
const MAGIC = 0x31524150
const DIGEST = 32
/** length of the footer and the magic number behind it */
const TAIL = 8

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("")
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: DIGEST }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}

/**
 * A Parquet reader finds the footer from the end and the pages from the beginning. Between the two there is space for a
 * tag and the SHA-256 of all other bytes.
 */
export function checksumParquet(bytes: Uint8Array, sha256: Digest): Uint8Array {
  const at = footerOf(bytes)
  if (at === undefined) throw new Error("these bytes are not Parquet")
  const made = new Uint8Array(bytes.length + TAG.length + DIGEST)
  made.set(bytes.subarray(0, at))
  made.set(TAG, at)
  made.set(bytes.subarray(at), at + TAG.length + DIGEST)
  const digest = sha256(made.subarray(0, at + TAG.length), bytes.subarray(at))
  made.set(bytesOf(digest), at + TAG.length)
  return made
}

/** "none": a Parquet file without a checksum, as 0.1.0 wrote it, or one whose end is damaged. */
export function checksumOf(bytes: Uint8Array, sha256: Digest): "whole" | "broken" | "none" {
  const footer = footerOf(bytes)
  const at = footer === undefined ? -1 : footer - DIGEST
  if (footer === undefined || at - TAG.length < 4) return "none"
  if (!TAG.every((b, i) => bytes[at - TAG.length + i] === b)) return "none"
  const digest = sha256(bytes.subarray(0, at), bytes.subarray(footer))
  return digest === hexOf(bytes.subarray(at, footer)) ? "whole" : "broken"
}

/** Where the footer of a Parquet file begins, from its last eight bytes alone. */
function footerOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < 4 + TAIL) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(bytes.length - 4, true) !== MAGIC) return undefined
  const at = bytes.length - TAIL - view.getUint32(bytes.length - TAIL, true)
  return at >= 4 ? at : undefined
}

/** Bytes with a tag and their checksum before them. */
export function checksumBytes(body: Uint8Array, sha256: Digest): Uint8Array {
  const made = new Uint8Array(TAG.length + DIGEST + body.length)
  made.set(TAG)
  made.set(bytesOf(sha256(body)), TAG.length)
  made.set(body, TAG.length + DIGEST)
  return made
}

/** The bytes inside; undefined when they are not what was written. */
export function openBytes(bytes: Uint8Array, sha256: Digest): Uint8Array | undefined {
  const begin = TAG.length + DIGEST
  if (bytes.length < begin || !TAG.every((b, i) => bytes[i] === b)) return undefined
  const body = bytes.subarray(begin)
  return sha256(body) === hexOf(bytes.subarray(TAG.length, begin)) ? body : undefined
}

const OPEN = '{"sha256":"'
const MIDDLE = '","run":'
const BODY = OPEN.length + 64 + MIDDLE.length

/** JSON text with the checksum of its text before it; JSON itself. */
export function checksumText(body: string, sha256: Digest): string {
  return `${OPEN}${sha256(body)}${MIDDLE}${body}}`
}

/** The text inside; undefined when it is not what was written. A text without a seal, as 0.1.0 wrote it, is its own
 *  inside. */
export function openText(text: string, sha256: Digest): string | undefined {
  if (!text.startsWith(OPEN)) return text
  if (!text.startsWith(MIDDLE, BODY - MIDDLE.length) || !text.endsWith("}")) return undefined
  const body = text.slice(BODY, -1)
  return text.slice(OPEN.length, OPEN.length + 64) === sha256(body) ? body : undefined
}

/** The same for a small map that people read: `sha256` is one of its keys. */
export function checksumMap<T extends object>(map: T, sha256: Digest): T & { readonly sha256: string } {
  return { ...map, sha256: sha256(JSON.stringify(map)) }
}

export function hasChecksum(raw: Readonly<Record<string, unknown>>, sha256: Digest): boolean {
  const { sha256: digest, ...rest } = raw
  return digest === sha256(JSON.stringify(rest))
}
