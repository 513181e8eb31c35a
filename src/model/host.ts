// What a simulation may ask of the place where it runs. Everything that reads files or knows the machine is handed in, so that the rest runs in a
// browser as well.
import type { Plugin } from "./plugin.ts"

/** Plug-ins that the experiment brings, loaded, with the hashes of their modules. */
export interface Outside {
  readonly hashes: readonly string[]
  readonly plugins: readonly Plugin<unknown, unknown, never>[]
}

export interface Host {
  /** the text of a file that the experiment names; throws NotReadable, or an error of the system */
  read(path: string): string
  /** the same file as bytes, at most so many; absent: its text in UTF-8 */
  bytes?(path: string, most?: number): Uint8Array
  /** names of what lies in a folder; none where there is no such folder; absent: this host has no folders */
  list?(path: string): readonly string[]
  /** The files that a path stands for (itself, or those of a folder or of a trace), in order; bytes of one of them in pieces, each overwritten by the next; a
   *  hash of all their content; what gzip data hold. Absent: only single files can be read. */
  parts?(path: string): readonly { readonly name: string; readonly path: string }[]
  pieces?(path: string): Iterable<Uint8Array>
  digest?(path: string): string
  inflate?(bytes: Uint8Array): Uint8Array
  /** a path as people should see it; absent: as it is written */
  shown?(path: string): string
  /** where its paths start from, if it has such a place */
  readonly folder?: string
  /** bytes that the machine has */
  readonly memory?: number
  readonly outside?: Outside | undefined
}

/** Not a file that can be read here; the message is a sentence without its subject: "is a pipe, not a file". */
export class NotReadable extends Error {
  override readonly name = "NotReadable"
}

export function bytesOf(host: Host, path: string, most?: number): Uint8Array {
  return host.bytes === undefined ? new TextEncoder().encode(host.read(path)) : host.bytes(path, most)
}

/** A host whose files are given, by the paths that experiments write. */
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
      const inside = [...given.keys()].filter((p) => p.startsWith(at)).map((p) => p.slice(at.length).split("/")[0]!)
      return [...new Set(inside)].sort()
    },
  }
}

/** Without `.` and `..` as far as that goes: two ways of writing one path come out alike. */
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
