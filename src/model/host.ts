// The interface between a simulation and its environment. Everything that reads files or depends on the machine is
// passed in, so that all other code also runs in a browser.
import type { Plugin } from "./plugin.ts"

/** Plug-ins of the experiment, loaded, with the hashes of their modules. */
export interface Outside {
  readonly hashes: readonly string[]
  readonly plugins: readonly Plugin<unknown, unknown, never>[]
}

export interface Host {
  /** Returns the text of a file that the experiment names. Throws NotReadable, or an error of the system. */
  read(path: string): string
  /** Returns the same file as bytes, at most `most`; absent: its text in UTF-8. */
  bytes?(path: string, most?: number): Uint8Array
  /** Returns the names in a folder; none if there is no such folder; absent: this host has no folders. */
  list?(path: string): readonly string[]
  /**
   * `parts`: the files of a path (itself, or those of a folder or trace), in order. `pieces`: the bytes of a file in
   * pieces, each overwritten by the next. `digest`: a hash of all their content. `inflate`: decompresses gzip data.
   * Absent: only single files can be read.
   */
  parts?(path: string): readonly { readonly name: string; readonly path: string }[]
  pieces?(path: string): Iterable<Uint8Array>
  digest?(path: string): string
  inflate?(bytes: Uint8Array): Uint8Array
  /** Returns a path for display; absent: as it is written. */
  shown?(path: string): string
  /** the folder that relative paths start from, if there is one */
  readonly folder?: string
  /** bytes of main memory */
  readonly memory?: number
  readonly outside?: Outside | undefined
}

/** The file cannot be read here. The message is a sentence without its subject: "is a pipe, not a file". */
export class NotReadable extends Error {
  override readonly name = "NotReadable"
}

export function bytesOf(host: Host, path: string, most?: number): Uint8Array {
  return host.bytes === undefined ? new TextEncoder().encode(host.read(path)) : host.bytes(path, most)
}

/** Returns a host with the given files, by the paths that experiments write. */
export function hostOf(files: Readonly<Record<string, string | Uint8Array>> = {}): Host {
  const given = new Map(Object.entries(files).map(([path, content]) => [normal(path), content]))
  const find = (path: string): string | Uint8Array => {
    const found = given.get(normal(path))
    if (found === undefined) throw new NotReadable("does not exist")
    return found
  }
  return {
    read(path) {
      const found = find(path)
      return typeof found === "string" ? found : new TextDecoder("utf-8").decode(found)
    },
    bytes(path) {
      const found = find(path)
      return typeof found === "string" ? new TextEncoder().encode(found) : found
    },
    list(path) {
      const at = `${normal(path)}/`
      const inside = [...given.keys()].filter((p) => p.startsWith(at)).map((p) => p.slice(at.length).split("/")[0])
      return [...new Set(inside)].sort()
    },
  }
}

/** Returns a path without `.` and `..` as far as possible, so that different spellings of a path become equal. */
export function normal(path: string): string {
  const made: string[] = []
  for (const part of path.split(/[\\/]+/)) {
    if (part === "" && made.length > 0) continue
    if (part === ".") continue
    if (part === ".." && made.length > 0 && made.at(-1) !== ".." && made.at(-1) !== "") made.pop()
    else made.push(part)
  }
  return made.join("/")
}
