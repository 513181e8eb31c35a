// Where finished runs go: a folder (store.ts), or memory.
import type { Checked, Complaint } from "../core/complaint.ts"
import type { RunRecord } from "./record.ts"

export interface Results {
  /** the folder, where they lie in one */
  readonly dir?: string
  has(hash: string): boolean
  /** a known run; its tables may be left out */
  get(hash: string): RunRecord | undefined
  /** on disk when this returns without complaints */
  add(record: RunRecord): Promise<readonly Complaint[]>
  /** defines which runs the experiment contains, because the folder may hold others, too */
  plan?(runs: readonly Pick<RunRecord, "hash" | "point">[]): Promise<readonly Complaint[]>
  records(tables?: boolean): Promise<Checked<readonly RunRecord[]>>
  close(): Promise<readonly Complaint[]>
}

export class MemoryResults implements Results {
  private readonly known = new Map<string, RunRecord>()
  has(hash: string): boolean {
    return this.known.has(hash)
  }
  get(hash: string): RunRecord | undefined {
    return this.known.get(hash)
  }
  async add(record: RunRecord): Promise<readonly Complaint[]> {
    this.known.set(record.hash, record)
    return []
  }
  async records(): Promise<Checked<readonly RunRecord[]>> {
    return { ok: [...this.known.values()] }
  }
  async close(): Promise<readonly Complaint[]> {
    return []
  }
}
