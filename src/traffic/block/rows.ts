// The requests of a block trace while its lines are read.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Requests } from "./requests.ts"

export class Rows {
  readonly time: number[] = []
  readonly disk: number[] = []
  readonly read: number[] = []
  readonly bytes: number[] = []
  /** what is wrong with it, if anything */
  add(ps: number, disk: number, read: boolean, bytes: number): string | undefined {
    if (!(ps >= 0) || !Number.isFinite(ps)) return "its time is no number, or negative"
    if (this.time.length > 0 && ps < this.time.at(-1)!) return "it is earlier than the one before"
    if (!Number.isInteger(disk) || disk < 0) return "its disk is no number"
    if (!Number.isInteger(bytes) || bytes < 1) return "it has no bytes"
    this.time.push(ps)
    this.disk.push(disk)
    this.read.push(read ? 1 : 0)
    this.bytes.push(bytes)
    return undefined
  }
  done(path: string): Requests | Complaint {
    if (this.time.length === 0) return complain(path, "has no requests", "give a trace with at least one")
    const start = this.time[0]
    return {
      time: Float64Array.from(this.time, (t) => t - start),
      disk: Int32Array.from(this.disk),
      read: Uint8Array.from(this.read),
      bytes: Float64Array.from(this.bytes),
    }
  }
}
