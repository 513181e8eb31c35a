// Files that a run reads (edge lists, traffic matrices): what is in them is part of its identity.
import { type Complaint, complain } from "../core/complaint.ts"
import { sha256 } from "../core/sha256.ts"
import { bytesOf, type Host } from "../model/host.ts"
import type { Completed } from "./complete.ts"
import { unreadable } from "./disk/system-error.ts"
import { isMap } from "./fields.ts"

/** Parameters called `file` name files; what is in them is part of the run's identity. */
export class FileHashes {
  private readonly host: Host
  private readonly known = new Map<string, string>()
  constructor(host: Host) {
    this.host = host
  }
  of(spec: Completed, bad: Complaint[]): Record<string, string> {
    const made: Record<string, string> = {}
    const look = (value: unknown, path: string): void => {
      if (Array.isArray(value)) for (const [i, v] of value.entries()) look(v, `${path}.${i}`)
      else if (isMap(value))
        for (const key of Object.keys(value))
          if (key === "file" && typeof value[key] === "string") this.add(value[key], `${path}.${key}`, made, bad)
          else look(value[key], `${path}.${key}`)
    }
    look(spec.network, "network")
    look(spec.traffic, "traffic")
    return made
  }
  private add(file: string, path: string, made: Record<string, string>, bad: Complaint[]): void {
    try {
      if (!this.known.has(file)) this.known.set(file, sha256(bytesOf(this.host, file)))
      made[file] = this.known.get(file)!
    } catch (e) {
      bad.push(complain(path, `${file} ${unreadable(e)}`, "paths are relative to the folder of the experiment"))
    }
  }
}
