// vFabrics of Omni-Path: named groups of endpoints and service levels with one traffic class (TC) each. They have no
// effect on packets, but are checked before cycle 0. A service level belongs to one TC, and each sender on a level
// shares a vFabric of this level with its receivers.
import { type Complaint, complain } from "../../core/complaint.ts"
import { membersOf } from "../../core/ranges.ts"
import { int, list, mapOf, nested, schema, text } from "../../core/schema.ts"
import type { StreamLook } from "../../fabric/switch-model.ts"

const vfabric = schema({
  tc: int({ about: "Traffic class of the vFabric, for quality of service", min: 0, max: 31 }),
  levels: list(int({ about: "Service level", min: 0, max: 31 }), {
    about: "Service levels (lacewing's traffic classes) of the vFabric",
    atLeast: 1,
  }),
  endpoints: list(text({ about: "Endpoints of the vFabric" }), {
    about: 'Endpoints of the vFabric: "all", or numbers and ranges such as 0-15',
    default: ["all"],
  }),
})

export type Vfabrics = Readonly<
  Record<string, { readonly tc: number; readonly levels: readonly number[]; readonly endpoints: readonly string[] }>
>

export const vfabricsField = mapOf(nested(vfabric), {
  about:
    "vFabrics by name: which endpoints may communicate on which levels; lacewing checks them before " +
    "the run, and they do not change it (default: no restrictions)",
  default: {},
})

/** Number of destinations that are checked for each sender. */
const LOOKS = 8

/** Checks the vFabrics against each other and against the traffic. */
export function unfitVfabrics(fabrics: Vfabrics, streams: readonly StreamLook[], ends: number): Complaint[] {
  const named = Object.entries(fabrics)
  if (named.length === 0) return []
  const bad: Complaint[] = []
  // [SL] -> the first vFabric that uses it, which fixes its TC.
  const owner = new Map<number, { tc: number; name: string }>()
  const members = named.map(([name, f]) => {
    const path = `network.switch.vfabrics.${name}`
    for (const [i, sl] of f.levels.entries()) {
      const first = owner.get(sl) ?? { tc: f.tc, name }
      owner.set(sl, first)
      if (first.tc !== f.tc)
        bad.push(
          complain(
            `${path}.levels.${i}`,
            `SL ${sl} is in TC ${first.tc} by vFabric "${first.name}": a level has one TC`,
            `set tc to ${first.tc}, or leave the level out`,
          ),
        )
    }
    const all = membersOf(f.endpoints, ends)
    if (all === undefined)
      bad.push(
        complain(
          `${path}.endpoints`,
          `"${f.endpoints.join(",")}" does not name endpoints from 0 to ${ends - 1}`,
          `write numbers or ranges such as 0-${ends - 1}`,
        ),
      )
    const inside = new Uint8Array(ends)
    for (const e of all ?? []) inside[e] = 1
    return { name, levels: f.levels, inside }
  })
  return bad.length > 0 ? bad : streams.flatMap((s) => foreign(s, members, ends))
}

interface Members {
  readonly name: string
  readonly levels: readonly number[]
  readonly inside: Uint8Array
}

/** Reports the first sender of a stream that is in no vFabric of its level, or sends to an endpoint outside of it. */
function foreign(s: StreamLook, all: readonly Members[], ends: number): Complaint[] {
  const fabrics = all.filter((f) => f.levels.includes(s.level))
  if (fabrics.length === 0)
    return [
      complain(
        `${s.path}.class`,
        `no vFabric has SL ${s.level}`,
        `give it to one of ${all.map((f) => `"${f.name}"`).join(", ")}`,
      ),
    ]
  const names = fabrics.map((f) => `"${f.name}"`).join(" or ")
  for (let e = 0; e < ends; e++) {
    if (!s.sends(e)) continue
    // The sender must be in a vFabric of the level, and so must its destinations.
    const own = fabrics.filter((f) => f.inside[e] === 1)
    if (own.length === 0)
      return [
        complain(
          `${s.path}.from`,
          `endpoint ${e} sends on SL ${s.level} and is not in ${names}`,
          "add it there, or change the senders",
        ),
      ]
    for (let n = 0; n < LOOKS; n++) {
      const to = s.dest(e, n)
      if (to >= 0 && !own.some((f) => f.inside[to] === 1))
        return [
          complain(
            `${s.path}.pattern`,
            `endpoint ${e} sends to endpoint ${to} on SL ${s.level}, and no vFabric of this level has both`,
            `add it to ${own.map((f) => `"${f.name}"`).join(" or ")}, or choose a pattern that stays inside`,
          ),
        ]
    }
  }
  return []
}
