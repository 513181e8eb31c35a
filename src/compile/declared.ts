// Checks a congestion model against the needs that its plug-in declares. A part without its declared need would have no
// effect on a switch or endpoint that does not support it, so it is rejected. So is a key that no engine knows, such as
// `endpoints`.
import { type Complaint, complain, nearest } from "../core/complaint.ts"
import type { Asking } from "../experiment/bind.ts"
import type { Ability } from "../model/abilities.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { EndpointProtocol, EndpointSite, PacketView } from "../model/protocol.ts"

/** Every key of a model, and the ability that it depends on; null: none by itself. */
const modelKeys: Readonly<Record<keyof CongestionModel, Ability | null>> = {
  classes: "protocols",
  kinds: "protocols",
  controlFlits: "protocols",
  fit: "protocols",
  marking: "marks",
  sensing: "sensing",
  dropping: "drops",
  telemetry: "telemetry",
  endpoint: null,
  controlSlots: null,
  onCreate: null,
  acknowledged: null,
  longestTimer: null,
  epochs: null,
  least: null,
  repeats: null,
}

/** The same for an endpoint protocol. */
const protocolKeys: Readonly<Record<keyof EndpointProtocol, Ability | null>> = {
  mayInject: "windows",
  vcClass: null,
  joins: null,
  next: null,
  injected: null,
  delivered: null,
  received: null,
  headerReturned: null,
  headerArrived: null,
  heard: null,
  generated: null,
  due: null,
  columns: null,
  digest: null,
  values: null,
  tables: null,
  kept: null,
  audit: null,
}

/** Returns complaints about abilities that a congestion control uses and does not declare. */
export function undeclared(model: CongestionModel, { name, needs }: Asking): Complaint[] {
  const path = "network.congestion.name"
  const bad: Complaint[] = []
  const check = (made: object, keys: Readonly<Record<string, Ability | null>>, what: string) => {
    for (const key of Object.keys(made).filter((k) => !Object.hasOwn(keys, k))) {
      const near = nearest(key, Object.keys(keys))
      // A protocol may have additional members, so only probable typing errors are rejected there.
      if (near === undefined && keys !== modelKeys) continue
      const fix = near === undefined ? `known keys: ${Object.keys(keys).join(", ")}` : `did you mean "${near}"?`
      bad.push(complain(path, `The ${what} of "${name}" has the unknown key "${key}".`, fix))
    }
    // Methods of a class are parts, too.
    for (const [key, need] of Object.entries(keys))
      if (need !== null && Reflect.get(made, key) !== undefined && !needs.includes(need))
        bad.push(missing(path, name, `${what} has "${key}"`, need))
  }
  check(model, modelKeys, "model")
  if (model.dropping?.copies !== undefined && !needs.includes("copies"))
    bad.push(missing(path, name, 'model has "dropping.copies"', "copies"))
  if (model.endpoint === undefined || bad.length > 0) return bad
  check(model.endpoint(oneEndpoint()), protocolKeys, "endpoint protocol")
  // Without either of them, no engine would have to run the protocol.
  if (!needs.includes("windows") && !needs.includes("protocols") && bad.length === 0)
    bad.push(missing(path, name, 'model has "endpoint"', "protocols"))
  return bad
}

/** Returns the complaint about a part whose need is not declared. */
function missing(path: string, name: string, part: string, need: Ability): Complaint {
  return complain(
    path,
    `The ${part}, but needs() of "${name}" does not list "${need}".`,
    `add "${need}" to needs() of "${name}"`,
  )
}

/** Returns a site with one endpoint in which nothing happens, to find out which parts a protocol has. */
function oneEndpoint(): EndpointSite {
  const nothing = () => {}
  const zero = () => 0
  const packets: PacketView = {
    src: zero,
    dst: zero,
    flits: zero,
    answered: zero,
    kind: zero,
    value: zero,
    setValue: nothing,
    number: zero,
    setNumber: nothing,
    marked: () => false,
    createdAt: zero,
    stream: zero,
  }
  return {
    rows: 1,
    ends: 1,
    maxPacket: 1,
    firstClass: 1,
    column: (n) => new Int32Array(n),
    packets,
    offered: () => new Float32Array(1),
    outer: zero,
    send: nothing,
    message: zero,
    retransmit: nothing,
    recall: nothing,
    confirm: nothing,
    abandon: nothing,
    tell: nothing,
    wakeAt: nothing,
    hasCredits: () => true,
    wake: nothing,
  }
}
