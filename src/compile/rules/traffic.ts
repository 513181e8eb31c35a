// Rules about the traffic on a network of the clocked engines.
import { broken, complain, type Rule } from "../../core/complaint.ts"
import { Draws } from "../../core/rng.ts"
import type { StreamLook, TrafficLook } from "../../fabric/switch-model.ts"
import type { Stream } from "../../model/stream.ts"
import { planOf } from "../classes.ts"
import { flitBuffers } from "./flit-buffers.ts"
import type { StreamsLook } from "./looks.ts"
import { shortEpochs } from "./return-paths.ts"
import { scheduled } from "./served.ts"

/** The rules of the switch about the traffic. */
const ofTheSwitch: Rule<StreamsLook> = {
  reads: ["traffic.*", "network.switch.*"],
  test(look) {
    const { switch: sw } = look.network
    return sw.moves === "packets" ? broken(sw.rules?.traffic ?? [], trafficLook(look)) : []
  },
}

function trafficLook({ network, streams, given }: StreamsLook): TrafficLook {
  const { endpoint, topology, vcsPerClass, routing, boundRouting } = network
  const looks = streams.map((s, i) => streamLook(s, i, vcsPerClass))
  return {
    plan: planOf(network, streams),
    acknowledged: endpoint.ack > 0,
    ends: topology.graph.ends,
    streams: looks,
    given: looks.slice(0, given.length),
    routing: { name: boundRouting.name, bubbles: routing.room !== undefined },
  }
}

function streamLook(stream: Stream, i: number, vcsPerClass: number): StreamLook {
  const { senders, pattern, script, vcFirst, packet, reply } = stream
  const draws = new Draws(i)
  return {
    path: `traffic.${i}`,
    level: vcFirst / vcsPerClass,
    longest: packet.max,
    fixed: packet.fixed,
    reply,
    sends: (e) => senders === undefined || senders[e] === 1,
    dest(e, n) {
      if (script === undefined) return pattern.dest(e, draws.at(e, n), n)
      const at = script.first[e] + n
      return at < script.first[e + 1] ? script.to[at] : -1
    },
  }
}

/** Keys of replies have no effect without replies. */
const idleReplies: Rule<StreamsLook> = {
  reads: ["network.endpoint.turnaround", "network.endpoint.replyClass", "traffic.*.reply"],
  test({ network: { endpoint }, streams }) {
    if (streams.some((s) => s.reply > 0)) return []
    const idle = [
      ...(endpoint.turnaround > 0 ? ["turnaround"] : []),
      ...(endpoint.replyClass === "same" ? ["replyClass"] : []),
    ]
    return idle.map((key) =>
      complain(`network.endpoint.${key}`, "no stream has replies", `set reply of a stream, or leave ${key} out`),
    )
  },
}

/** With a single stream, a round-robin pointer per stream has no effect. */
const singleStream: Rule<StreamsLook> = {
  reads: ["network.endpoint.vc", "traffic"],
  test({ network: { endpoint }, streams }) {
    if (endpoint.injectByStream !== true || streams.length > 1) return []
    const says = "the only stream has no replies, so there is only one round-robin over the VCs"
    return [complain("network.endpoint.vc", says, "set it to round-robin, or add a stream or replies")]
  },
}

/** A cap names streams. */
const capped: Rule<StreamsLook> = {
  reads: ["network.endpoint.capped", "traffic.*.name"],
  test({ network: { endpoint }, streams }) {
    const names = streams.map((s) => s.name)
    const wrong = endpoint.cap?.streams.filter((name) => !names.includes(name)) ?? []
    return wrong.map((name) =>
      complain("network.endpoint.capped", `no stream is called "${name}"`, `choose one of ${names.join(", ")}`),
    )
  },
}

/** Switches that move packets distinguish them by VC, so all streams of a class must have the same priority. */
export const classPriorities: Rule<{
  readonly streams: readonly Pick<Stream, "name" | "vcFirst" | "priority">[]
  readonly network: { readonly switch: { readonly moves: string }; readonly vcsPerClass: number }
}> = {
  reads: ["traffic.*.class", "traffic.*.priority"],
  test({ streams, network: { switch: sw, vcsPerClass } }) {
    if (sw.moves === "flits") return []
    return streams.flatMap((s, i) => {
      const other = streams[streams.findIndex((o) => o.vcFirst === s.vcFirst)]
      if (other.priority === s.priority) return []
      const says =
        `"${s.name}" has priority ${s.priority}, "${other.name}" of the same class ${s.vcFirst / vcsPerClass} ` +
        `has ${other.priority}: this switch has one for each class`
      const fix = `set it to ${other.priority}, or give the stream a separate class`
      return [complain(`traffic.${i}.priority`, says, fix)]
    })
  },
}

export const trafficRules: readonly Rule<StreamsLook>[] = [
  flitBuffers,
  ofTheSwitch,
  shortEpochs,
  idleReplies,
  singleStream,
  capped,
  classPriorities,
  scheduled,
]
