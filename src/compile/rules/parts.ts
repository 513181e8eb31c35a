// Rules between a switch that moves packets, the endpoints and the congestion management.
import { complain, type Rule } from "../../core/complaint.ts"
import type { PartsLook } from "./looks.ts"

/** Returns the flits of copies that wait for acknowledgements of the endpoint, and not for those of a protocol. */
function copiesOf({ congestion, extensions }: PartsLook): number {
  return congestion.dropping?.copies === undefined ? (extensions.stash?.copies ?? 0) : 0
}

/** A window must let the longest packet pass. */
const window: Rule<PartsLook> = {
  reads: ["network.congestion.minWindow", "network.switch.*"],
  test({ congestion: { least }, layout: { maxPacket } }) {
    if (least === undefined || least >= maxPacket) return []
    const says = `a window of ${least} flits is too small for a packet of ${maxPacket}`
    return [complain("network.congestion.minWindow", says, `set it to at least ${maxPacket}flits`)]
  },
}

const acknowledgedProtocol: Rule<PartsLook> = {
  reads: ["network.congestion.name", "network.endpoint.ack"],
  test: ({ endpoint, congestion, name }) =>
    endpoint.ack > 0 || congestion.acknowledged !== true
      ? []
      : [complain("network.endpoint.ack", `"${name}" needs acknowledgements, but none are sent`, "set it to 1flit")],
}

const acknowledgedCopies: Rule<PartsLook> = {
  reads: ["network.switch.reliability", "network.endpoint.ack"],
  test: (look) =>
    look.endpoint.ack > 0 || copiesOf(look) === 0
      ? []
      : [
          complain(
            "network.endpoint.ack",
            "copies wait for acknowledgements, but none are sent",
            "set it to 1flit, or switch.reliability: false",
          ),
        ],
}

/** Injection queues mirror those of the switch, so the switch must have queues of that kind. */
const injectionQueues: Rule<PartsLook> = {
  reads: ["network.endpoint.injection", "network.endpoint.gate", "network.endpoint.detect", "network.switch.scheme"],
  test({ endpoint: { injection }, extensions }) {
    if (injection === undefined) return []
    if (extensions.injection === undefined)
      return [
        complain(
          "network.endpoint.injection",
          "this scheme has no injection queues, because stopped packets wait in the message queues",
          "set it to none, or set network.switch.scheme to a scheme other than recn and bfc",
        ),
      ]
    if (extensions.injection.lines) return []
    return (["gate", "detect"] as const)
      .filter((key) => injection[key] !== undefined)
      .map((key) =>
        complain(
          `network.endpoint.${key}`,
          "this scheme has no CAM lines",
          "leave it out, or set scheme to fbicm-1 or fbicm-2",
        ),
      )
  },
}

/** Packets that the destination rejects come again from a copy. */
const reordering: Rule<PartsLook> = {
  reads: ["network.endpoint.reorder", "network.switch.reliability"],
  test: (look) =>
    look.endpoint.reorder === 0 || copiesOf(look) > 0
      ? []
      : [
          complain(
            "network.endpoint.reorder",
            "rejected packets must be sent again, but the switch stores no copies",
            "set network.switch.reliability: true, or reorder: 0",
          ),
        ],
}

const acknowledgementLength: Rule<PartsLook> = {
  reads: ["network.endpoint.ack", "network.switch.*"],
  test: ({ endpoint: { ack }, layout: { maxPacket } }) =>
    ack <= maxPacket
      ? []
      : [
          complain(
            "network.endpoint.ack",
            `${ack} flits are more than the switch accepts in a packet`,
            `set it to at most ${maxPacket}flits`,
          ),
        ],
}

export const partsRules: readonly Rule<PartsLook>[] = [
  window,
  acknowledgedProtocol,
  acknowledgedCopies,
  injectionQueues,
  reordering,
  acknowledgementLength,
]
