// Names of files for names of things: a stream, a table, a figure may be called anything; a file may not.
import { sha256 } from "../../core/sha256.ts"

const LONGEST = 64

/** Lower case, digits and . _ - stay as they are. Everything else (long, capital, foreign, reserved) is cut to what is safe and told apart by a hash, so
 * that names which differ never share a file, on file systems that ignore case as well. */
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

/** Windows keeps these for devices, whatever the ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/** The name that 0.1.0 gave to the folder of a table; undefined where it could not have made one. */
export function oldName(name: string): string | undefined {
  if (name === "." || name === ".." || /\p{Surrogate}/u.test(name)) return undefined
  const encoded = encodeURIComponent(name)
  return encoded.length <= 255 ? encoded : undefined
}
