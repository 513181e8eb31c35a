// Finds a plug-in by name, or complains and suggests the nearest known name.
import { type Checked, type Complaint, complain, nearest } from "../core/complaint.ts"
import type { Scale } from "../core/units.ts"
import type { AnyPlugin } from "../library.ts"
import type { Named } from "../model/experiment.ts"

/** The parts of a plug-in that do not depend on its parameter type. */
export interface Found<P> {
  readonly plugin: P
  readonly params: unknown
}

export function find<P extends Pick<AnyPlugin, "name" | "aliases" | "formerly" | "params">>(
  among: readonly P[],
  named: Named,
  path: string,
  scale: Scale,
): Checked<Found<P>> {
  const plugin = among.find((p) => [p.name, ...(p.aliases ?? []), ...(p.formerly ?? [])].includes(named.name))
  if (plugin === undefined) {
    const names = among.map((p) => p.name)
    const near = nearest(named.name, names)
    return {
      bad: [
        complain(
          `${path}.name`,
          `"${named.name}" is not known`,
          near !== undefined ? `did you mean "${near}"?` : `known: ${names.join(", ")}`,
        ),
      ],
    }
  }
  const { name: _, ...raw } = named
  const parsed = plugin.params.parse(raw, path, scale)
  return "bad" in parsed ? parsed : { ok: { plugin, params: parsed.ok } }
}

export function prefixed(path: string, list: readonly Complaint[]): Complaint[] {
  return list.map((c) => ({ ...c, path: c.path === "" ? path : `${path}.${c.path}` }))
}
