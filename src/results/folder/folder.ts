// A results folder as a reader sees it: names and bytes. The same code reads a folder on disk, files that a user opened
// in a browser page, and the folders of tests.
import { Sha256 } from "../../core/sha256.ts"
import { type Host, NotReadable, normal } from "../../model/host.ts"

export interface Folder {
  /** as people should see it */
  readonly name: string
  /** a path inside as people should see it */
  shown(path: string): string
  /** the bytes of a plain file; "odd": a folder, a device, a pipe, or larger than anything that is written there */
  read(path: string, most: number): Uint8Array | "absent" | "odd"
  /** names of the entries of a folder inside, in order; none where there is no such folder */
  list(path: string): string[]
  digest: Digest
}

/** SHA-256 of the parts in a row, as hex. */
export type Digest = (...parts: readonly (string | Uint8Array)[]) => string

export const plainDigest: Digest = (...parts) => {
  const hash = new Sha256()
  for (const part of parts) hash.update(part)
  return hash.hex()
}

/** The text of a small file as it is; undefined where there is none, "" where it cannot be read as text. */
export function textIn(folder: Folder, path: string, most: number): string | undefined {
  const bytes = folder.read(path, most)
  if (bytes === "absent") return undefined
  return bytes === "odd" ? "" : new TextDecoder().decode(bytes)
}

/** JSON, or undefined: what is nested too deeply to be ours counts as damaged, too. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The folder `dir` of a host that has bytes and can list. */
export function folderOf(host: Host, dir: string): Folder {
  const at = (path: string): string => normal(`${dir}/${path}`)
  return {
    name: dir,
    shown: at,
    read(path, most) {
      try {
        const bytes =
          host.bytes === undefined ? new TextEncoder().encode(host.read(at(path))) : host.bytes(at(path), most)
        return bytes.length > most ? "odd" : bytes
      } catch (error) {
        if (error instanceof NotReadable) return "absent"
        throw error
      }
    },
    list: (path) => [...(host.list?.(at(path)) ?? [])].sort(),
    digest: plainDigest,
  }
}
