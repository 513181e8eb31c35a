// Old names in an experiment: `check` and `run` print a note about each, once for each file.
import { type Complaint, complain } from "../core/complaint.ts"
import { join } from "../core/schema.ts"
import type { Kind } from "../model/plugin.ts"
import { newValueName, renamedCells, renamedKeys, renamedText } from "../model/renamed.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"
import { listOf } from "./gather.ts"
import type { Placed } from "./source.ts"

const slots: readonly Kind[] = ["topology", "routing", "switch", "endpoint", "congestion", "qos"]

function note(path: string, now: string): Complaint {
  return complain(path, renamedText(path, now), `write ${now}`)
}

/** Keys and plug-ins of the part `network`, `jobs` or `probes` that have other names now. */
export function oldNames(part: string, raw: unknown, catalog: Catalog): Complaint[] {
  if (part === "network")
    return isMap(raw) ? slots.flatMap((kind) => inSlot(kind, raw[kind], `network.${kind}`, catalog)) : []
  return listOf(raw).flatMap((one, i) => {
    const path = Array.isArray(raw) ? `${part}.${i}` : part
    if (part === "probes") return [...inSlot("probe", one, path, catalog), ...oldEvents(one, path)]
    if (!isMap(one)) return []
    const own = renamedKeys.filter((r) => r.kind === "job" && Object.hasOwn(one, r.was))
    return [
      ...own.map((r) => note(join(path, r.was), r.now)),
      ...inSlot("workload", one["workload"], `${path}.workload`, catalog),
    ]
  })
}

function inSlot(kind: Kind, raw: unknown, path: string, catalog: Catalog): Complaint[] {
  const name = isMap(raw) ? raw["name"] : raw
  const plugin = typeof name === "string" ? catalog.find(kind, name) : undefined
  if (plugin === undefined) return []
  const found =
    plugin.formerly?.includes(String(name)) === true
      ? [
          complain(
            isMap(raw) ? `${path}.name` : path,
            renamedText(`${kind} ${String(name)}`, plugin.name),
            `write ${plugin.name}`,
          ),
        ]
      : []
  if (!isMap(raw)) return found
  const keys = Object.entries(plugin.params.fields).flatMap(([key, f]) =>
    (f.info.aliases ?? []).filter((older) => Object.hasOwn(raw, older)).map((older) => note(join(path, older), key)),
  )
  return [...found, ...keys]
}

/** Kinds of events by old names. */
function oldEvents(probe: unknown, path: string): Complaint[] {
  if (!isMap(probe) || probe["name"] !== "events") return []
  const now = renamedCells.find((r) => r.table === "events")?.now ?? {}
  return listOf(probe["kinds"]).flatMap((kind) =>
    typeof kind === "string" && Object.hasOwn(now, kind)
      ? [complain(`${path}.kinds`, renamedText(`event ${kind}`, now[kind]), `write ${now[kind]}`)]
      : [],
  )
}

/** Values in thresholds that have other names now. */
export function oldValues(raw: unknown): Complaint[] {
  return listOf(raw).flatMap((text, i) => {
    const value = typeof text === "string" ? (/^\s*(\S+)/.exec(text)?.[1] ?? "") : ""
    const now = newValueName(value)
    const path = Array.isArray(raw) ? `expect.${i}` : "expect"
    return now === value ? [] : [complain(path, renamedText(value, now), `write ${now}`)]
  })
}

/** Notes are made for each run: one for each file and sentence is enough. */
export function noteOnce(notes: Map<string, Placed>, c: Placed): void {
  const key = `${c.file} ${c.says.replace(/\.\d+\./g, ".")}`
  if (!notes.has(key) && notes.size < 100) notes.set(key, c)
}

/** "FILE:LINE network.congestion.again is now called retransmitFrom. The old name works until 0.3." */
export function oldNameLine({ file, spot, says }: Placed): string {
  return `${file}${spot === undefined ? "" : `:${spot.line}`} ${says}`
}

/** The same for programs. */
export function warningOf({ path, says, fix, file, spot }: Placed): Record<string, unknown> {
  return { path, says, fix, file, ...(spot === undefined ? {} : { line: spot.line, column: spot.column }) }
}
