// Checks an endpoint model against the needs that its plug-in declares. A member without its declared need would have
// no effect on a switch that does not support it, so it is rejected. So is a member that no engine knows.
import { type Complaint, complain, nearest } from "../core/complaint.ts"
import type { Asking } from "../experiment/bind.ts"
import type { Ability } from "../model/abilities.ts"
import type { EndpointModel } from "../model/endpoint.ts"

/** Abilities of which a switch must have one, if the member has a value other than that of the simplest endpoint. */
const members: Readonly<Record<keyof EndpointModel, readonly Ability[]>> = {
  injectRandom: ["drawnVcs"],
  injectByStream: ["streamVcs"],
  replyClass: ["replies"],
  perDestination: ["acknowledgements", "admittance"],
  ack: ["acknowledgements"],
  backlog: ["acknowledgements", "admittance", "schedulers"],
  active: ["acknowledgements", "admittance", "schedulers"],
  reorder: ["acknowledgements"],
  scheduled: ["schedulers"],
  turnaround: ["replies"],
  injection: ["admittance"],
  cap: ["acknowledgements", "admittance", "schedulers"],
}

/** Values with which a member has no effect. */
const plain: Readonly<Partial<Record<keyof EndpointModel, unknown>>> = {
  ...{ injectRandom: false, injectByStream: false, replyClass: "next", perDestination: false, scheduled: false },
  ...{ ack: 0, backlog: 1, active: 1, reorder: 0, turnaround: 0 },
}

/** Returns complaints about abilities that an endpoint uses and does not declare. */
export function undeclaredEndpoint(model: EndpointModel, { name, needs }: Asking): Complaint[] {
  const path = "network.endpoint.name"
  return Object.entries(model).flatMap(([key, value]) => {
    if (!isMember(key)) {
      const near = nearest(key, Object.keys(members))
      const fix = near === undefined ? `known keys: ${Object.keys(members).join(", ")}` : `did you mean "${near}"?`
      return [complain(path, `The model of "${name}" has the unknown key "${key}".`, fix)]
    }
    const any = members[key]
    if (value === undefined || value === plain[key] || any.some((ability) => needs.includes(ability))) return []
    return [
      complain(
        path,
        `The model has "${key}", but needs() of "${name}" lists none of ${any.map((a) => `"${a}"`).join(", ")}.`,
        `add "${any[0]}" to needs() of "${name}"`,
      ),
    ]
  })
}

function isMember(key: string): key is keyof EndpointModel {
  return Object.hasOwn(members, key)
}
