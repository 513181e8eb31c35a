// Compiles the traffic of a specification: creates patterns, arrival processes and sizes for the network. compile.ts
// and packet/compile.ts call it.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { membersOf } from "../core/ranges.ts"
import { Draws } from "../core/rng.ts"
import { quantity } from "../core/units.ts"
import { bind } from "../experiment/bind.ts"
import { arrivalsFor, patternsFor, sizesFor } from "../experiment/outside/known.ts"
import type { RunSpec, TrafficSpec } from "../model/experiment.ts"
import { bytesOf, type Host } from "../model/host.ts"
import type { PatternSite } from "../model/plugin.ts"
import type { Stream } from "../model/stream.ts"
import type { Sizes, TrafficPattern } from "../model/traffic.ts"
import type { Network } from "./network.ts"
import { isRails } from "./packet/models.ts"
import { scriptOf } from "./script.ts"

/** Returns the streams in order of the file, followed by the streams of replies. */
export function streamsOf(spec: RunSpec, network: Network, host: Host): Checked<Stream[]> {
  const bad: Complaint[] = []
  const streams: Stream[] = []
  const replies: { of: number; stream: Stream }[] = []
  spec.traffic.forEach((t, i) => {
    const got = streamOf(t, i, spec, network, host)
    if ("bad" in got) bad.push(...got.bad)
    else {
      streams.push(got.ok)
      if (got.ok.reply > 0) replies.push({ of: i, stream: answerTo(got.ok, t, network) })
    }
  })
  if (bad.length > 0) return { bad }
  for (const { of, stream } of replies) {
    streams[of] = { ...streams[of], replyStream: streams.length }
    streams.push(stream)
  }
  return { ok: streams }
}

/** Compiles one stream. The random draws of its pattern depend on the position of the stream in the file. */
function streamOf(t: TrafficSpec, i: number, spec: RunSpec, network: Network, host: Host): Checked<Stream> {
  const path = `traffic.${i}`
  const bad: Complaint[] = []
  const { scale, topology, vcsPerClass } = network
  const site: PatternSite = {
    topology,
    vcs: vcsPerClass,
    rng: new Draws(spec.seed ^ (0x7061 + i)),
    common: new Draws(spec.seed ^ 0x726f),
    read: host.read,
    bytes: (path) => bytesOf(host, path),
  }
  const duration = (key: "start" | "stop", never: number): number => {
    if (t[key] === "never") return never
    const v = quantity(t[key], "cycles", scale)
    if (typeof v === "string") bad.push(complain(`${path}.${key}`, v, "write a duration such as 20us or 1000cycles"))
    return typeof v === "string" ? never : v
  }
  const reply = quantity(t.reply, "flits", scale)
  if (typeof reply === "string") bad.push(complain(`${path}.reply`, reply, "write a size such as 1flit"))
  const sizes = (key: "packet" | "message"): Sizes | undefined => {
    const found = bind(sizesFor(host), t[key], `${path}.${key}`, scale)
    const complaints = "bad" in found ? found.bad : found.ok.check(site)
    bad.push(...complaints)
    return complaints.length > 0 || "bad" in found ? undefined : found.ok.make(site)
  }
  const packet = sizes("packet")
  const message = sizes("message")
  const pattern = bind(patternsFor(host), t.pattern, `${path}.pattern`, scale)
  const arrivalProcess = bind(arrivalsFor(host), t.arrivals, `${path}.arrivals`, scale)
  bad.push(...("bad" in pattern ? pattern.bad : pattern.ok.check(site)))
  if ("bad" in arrivalProcess) bad.push(...arrivalProcess.bad)
  if (bad.length > 0 || packet === undefined || message === undefined || typeof reply === "string") return { bad }
  if ("bad" in pattern || "bad" in arrivalProcess) return { bad }
  // Load is in flits per cycle; an arrival process creates messages.
  const rate = t.load / packet.mean / message.mean
  const timed = { ...site, rate }
  bad.push(...arrivalProcess.ok.check(timed))
  if (packet.max > 65535)
    bad.push(complain(`${path}.packet`, `a packet has ${packet.max} flits`, "choose at most 65535flits"))
  const chosen = sendersOf(t.from, topology.graph.ends, `${path}.from`, bad)
  const start = duration("start", 0)
  const stop = duration("stop", Number.POSITIVE_INFINITY)
  if (stop < start)
    bad.push(
      complain(
        `${path}.stop`,
        `is ${stop} cycles, which is before the start at ${start}`,
        `set it to more than ${start}cycles, or start earlier`,
      ),
    )
  if (bad.length > 0) return { bad }
  const dests = pattern.ok.make(site)
  const senders = withoutSilent(chosen, dests, topology.graph.ends, spec.seed)
  const script =
    dests.script === undefined
      ? undefined
      : scriptOf(dests.script, t, path, spec, { packet, message }, scale, senders, bad)
  if (bad.length > 0) return { bad }
  return {
    ok: {
      name: t.name,
      pattern: dests,
      arrivals: arrivalProcess.ok.make(timed),
      packet,
      message,
      start,
      stop,
      priority: t.priority,
      vcFirst: t.class * vcsPerClass,
      vcCount: vcsPerClass,
      reply,
      replyStream: -1,
      ...(senders !== undefined ? { senders } : {}),
      ...(script !== undefined ? { script } : {}),
    },
  }
}

/** Returns whether replies use the VCs of the class of their requests. */
function repliesShare({ endpoint }: Network): boolean {
  return !isRails(endpoint) && endpoint.replyClass === "same"
}

/** Returns the stream of replies, which creates nothing by itself. */
function answerTo(s: Stream, t: TrafficSpec, network: Network): Stream {
  const size: Sizes = { mean: s.reply, max: s.reply, fixed: s.reply, size: () => s.reply }
  const never = { first: () => Number.POSITIVE_INFINITY, next: () => Number.POSITIVE_INFINITY }
  return {
    ...s,
    name: `${s.name}.reply`,
    arrivals: never,
    packet: size,
    message: { mean: 1, max: 1, fixed: 1, size: () => 1 },
    reply: 0,
    replyStream: -1,
    vcFirst: (t.class + (repliesShare(network) ? 0 : 1)) * network.vcsPerClass,
  }
}

/**
 * An endpoint sends always or never. One without a destination in the pattern is excluded, and not counted in the
 * offered load.
 */
function withoutSilent(
  chosen: Uint8Array | undefined,
  pattern: TrafficPattern,
  ends: number,
  seed: number,
): Uint8Array | undefined {
  const draws = new Draws(seed)
  let senders = chosen
  for (let e = 0; e < ends; e++) {
    if (pattern.dest(e, draws.at(e, 0)) >= 0) continue
    senders ??= new Uint8Array(ends).fill(1)
    senders[e] = 0
  }
  return senders
}

/** Returns the senders from numbers and ranges ("0-15") of endpoints. */
function sendersOf(from: TrafficSpec["from"], ends: number, path: string, bad: Complaint[]): Uint8Array | undefined {
  if (from === "all") return undefined
  const senders = new Uint8Array(ends)
  for (const item of from) {
    const members = membersOf([item], ends)
    if (members === undefined)
      bad.push(
        complain(
          path,
          `"${item}" does not name endpoints from 0 to ${ends - 1}`,
          `write numbers or ranges such as "0-${ends - 1}"`,
        ),
      )
    else for (const e of members) senders[e] = 1
  }
  return senders
}
