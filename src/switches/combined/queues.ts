// The key `queues`: how the VCs of an input store packets, for all classes of VCs or for each class by its name. `data`
// means all data classes; a protocol adds its own classes, such as "speculative" or "hot".
import { type Complaint, complain, type Rule } from "../../core/complaint.ts"
import { json } from "../../core/json-schema.ts"
import { choice, type Field, mapOf } from "../../core/schema.ts"
import type { CongestionLook } from "../../fabric/switch-model.ts"
import type { VcPlan } from "../../model/vc-plan.ts"

const ways = ["voq", "fifo"] as const
export type Way = (typeof ways)[number]
export type Queues = Way | Readonly<Record<string, Way>>

const about =
  "Queues of an input VC: one for each output (packets are routed on arrival), or one FIFO (packets are routed at its " +
  "head); a map gives them by class, such as { data: voq, speculative: fifo }, and other classes are as data"

export function queuesField(): Field<Queues> {
  const one = choice(ways, { about, default: "voq" })
  const each = mapOf(choice(ways, {}), { about, default: {} })
  return {
    ...one,
    info: { ...one.info, type: `${one.info.type} | map` },
    json: json.union([one.json, each.json]),
    parse: (raw, path, scale) =>
      typeof raw === "object" && raw !== null ? each.parse(raw, path, scale) : one.parse(raw, path, scale),
  }
}

const wayOf = (queues: Queues, name: string): Way =>
  typeof queues === "string" ? queues : (queues[name] ?? queues["data"] ?? "voq")

/** Whether any class may have virtual output queues. */
export function hasVoqs(queues: Queues): boolean {
  return typeof queues === "string"
    ? queues === "voq"
    : [queues["data"] ?? "voq", ...Object.values(queues)].includes("voq")
}

/** Returns the VCs (mask) that have one FIFO in a switch in which other VCs have virtual output queues. */
export function fifoVcs(queues: Queues, plan: VcPlan): number {
  if (!hasVoqs(queues)) return 0
  let mask = 0
  plan.classes.forEach((c, i) => {
    if (wayOf(queues, i < plan.data ? "data" : c.name) === "fifo") mask |= (2 ** c.count - 1) << c.first
  })
  return mask
}

/** Rules about the classes that the map names, and about protocols that need the output of each packet on arrival. */
export function queueRules(queues: Queues): readonly Rule<CongestionLook>[] {
  if (typeof queues === "string") return []
  return [
    {
      reads: ["network.congestion.name", "network.switch.queues"],
      test: ({ congestion, name }) => [
        ...unknownClasses(queues, ["data", ...(congestion.classes ?? []).map((c) => c.name)], name),
        ...lateRouting(queues, congestion, name),
      ],
    },
  ]
}

function unknownClasses(queues: object, known: readonly string[], name: string): Complaint[] {
  return Object.keys(queues)
    .filter((key) => !known.includes(key))
    .map((key) =>
      complain(`network.switch.queues.${key}`, `"${name}" has no class "${key}"`, `known: ${known.join(", ")}`),
    )
}

function lateRouting(
  queues: Queues,
  { dropping, telemetry, classes = [] }: CongestionLook["congestion"],
  name: string,
) {
  const rides = dropping === undefined ? undefined : classes[dropping.rides]?.name
  if (telemetry !== undefined && Object.values(queues).includes("fifo"))
    return [complain("network.switch.queues", `"${name}" needs a queue for each output`, "set it to voq")]
  if (rides !== undefined && dropping!.lastHop > 0 && wayOf(queues, rides) === "fifo")
    return [
      complain("network.switch.queues", `"${name}" drops packets of class "${rides}" on arrival`, `set ${rides}: voq`),
    ]
  return []
}
