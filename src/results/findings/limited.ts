// Why saturated points accept no more (table `limited-by`): for each line of the experiment the first saturated point,
// because higher loads of the same line have the same cause or are only further beyond it.
import { canonical } from "../../core/canonical.ts"
import type { RunRecord } from "../record.ts"

export interface Limited {
  readonly point: RunRecord["point"]
  readonly cause: string
  readonly says: string
}

/** Returns the cause of one run, or undefined if it is not saturated or has no such table. */
export function limitOf({ result }: Pick<RunRecord, "result">): Omit<Limited, "point"> | undefined {
  const table = result.tables["limited-by"]
  const [cause, says] = [table?.["cause"]?.[0], table?.["says"]?.[0]]
  return typeof cause === "string" && typeof says === "string" ? { cause, says } : undefined
}

/** Returns the cause of the lowest saturated load of each combination of the other keys. */
export function firstLimits(records: readonly RunRecord[]): Limited[] {
  const first = new Map<string, { readonly load: number; readonly limited: Limited }>()
  for (const record of records) {
    const found = limitOf(record)
    if (found === undefined) continue
    const { load, ...others } = record.point
    const key = canonical(others)
    const at = typeof load === "number" ? load : 0
    const known = first.get(key)
    if (known === undefined || at < known.load) first.set(key, { load: at, limited: { point: record.point, ...found } })
  }
  return [...first.values()].map(({ limited }) => limited)
}
