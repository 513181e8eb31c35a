// Safe file names for names of streams, tables and figures, which may contain any character.
import { sha256 } from "../../core/sha256.ts"

const LONGEST = 64

/**
 * Returns a safe file name. Lower case, digits and . _ - are unchanged. Other names are shortened to safe characters
 * plus a hash, so that different names never share a file, even if the file system ignores case.
 */
export function fileName(name: string): string {
  if (name.length <= LONGEST && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/.test(name) && !reserved.test(name)) return name
  const safe = name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
  const hash = sha256(name).slice(0, 16)
  return `${safe === "" || reserved.test(safe) ? "x" : safe}-${hash}`
}

/** Returns true for a name that Windows reserves for a device. */
export function isReserved(name: string): boolean {
  return reserved.test(name)
}

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/** Returns the folder name that version 0.1.0 used for a table; undefined if it could not have made one. */
export function oldName(name: string): string | undefined {
  if (name === "." || name === ".." || /\p{Surrogate}/u.test(name)) return undefined
  const encoded = encodeURIComponent(name)
  return encoded.length <= 255 ? encoded : undefined
}
