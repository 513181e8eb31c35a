// Hashes of the files that a run reads (edge lists, traffic matrices). Their content is part of the run hash.
import { type Complaint, complain } from "../../core/complaint.ts"
import { sha256 } from "../../core/sha256.ts"
import { bytesOf, type Host } from "../../model/host.ts"
import type { Completed } from "../complete.ts"
import { unreadable } from "../disk/system-error.ts"
import { isMap } from "../fields.ts"

interface Named {
  readonly file: string
  readonly path: string
}
const none = {}

/** Finds parameters called `file`, and hashes the files that they name. */
export class FileHashes {
  private readonly host: Host
  private readonly known = new Map<string, string>()
  private readonly named = new WeakMap<object, readonly Named[]>()
  constructor(host: Host) {
    this.host = host
  }
  of(spec: Completed, bad: Complaint[]): Readonly<Record<string, string>> {
    const named = [
      ...this.in(spec.network, "network"),
      ...this.in(spec.traffic, "traffic"),
      ...this.in(spec.jobs ?? [], "jobs"),
    ]
    if (named.length === 0) return none
    const made: Record<string, string> = {}
    for (const { file, path } of named) this.add(file, path, made, bad)
    return made
  }
  /** Returns the file names in a part. Runs share parts, so each is searched once. */
  private in(part: object, at: string): readonly Named[] {
    const before = this.named.get(part)
    if (before !== undefined) return before
    const found: Named[] = []
    const look = (value: unknown, path: readonly (string | number)[]): void => {
      if (Array.isArray(value))
        for (let i = 0; i < value.length; i++) look(value[i], typeof value[i] === "object" ? [...path, i] : path)
      else if (isMap(value))
        for (const key of Object.keys(value)) {
          const inner = value[key]
          if (key === "file" && typeof inner === "string") found.push({ file: inner, path: [...path, key].join(".") })
          else if (typeof inner === "object" && inner !== null) look(inner, [...path, key])
        }
    }
    look(part, [at])
    this.named.set(part, found)
    return found
  }
  /** A trace of a job may be a folder, and large: it is read in pieces. */
  private hashOf(file: string, path: string): string {
    const { digest } = this.host
    return path.startsWith("jobs.") && digest !== undefined ? digest(file) : sha256(bytesOf(this.host, file))
  }
  private add(file: string, path: string, made: Record<string, string>, bad: Complaint[]): void {
    try {
      if (!this.known.has(file)) this.known.set(file, this.hashOf(file, path))
      made[file] = this.known.get(file)!
    } catch (e) {
      bad.push(complain(path, `${file} ${unreadable(e)}`, "paths are relative to the folder of the experiment"))
    }
  }
}
