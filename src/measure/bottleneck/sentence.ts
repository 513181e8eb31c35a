// The table `limited-by` of a saturated run: the cause that decide.ts found, the channel, and one sentence that the
// terminal, the report and JSON show.
import type { Table } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"
import { channelLabel } from "../channel-label.ts"
import { type Bottleneck, decide, type Evidence } from "./decide.ts"

/** A cause with its channel (-1: none), the utilisation of this channel, and one sentence. */
export interface Limit {
  readonly cause: Bottleneck["cause"]
  readonly channel: number
  readonly use: number
  readonly says: string
}

/** Decides the cause for this evidence and describes it. */
export function limitOf(evidence: Evidence, topology: Topology): Limit {
  const found = decide(evidence)
  const channel = "channel" in found ? found.channel : -1
  return { cause: found.cause, channel, use: found.use, says: sentence(found, topology) }
}

export function limitedBy(evidence: Evidence, topology: Topology): Table {
  const { cause, channel, use, says } = limitOf(evidence, topology)
  return { cause: [cause], channel: [channel], utilisation: [use], says: [says] }
}

function sentence(b: Bottleneck, topology: Topology): string {
  const used = `used ${percent(b.use)} of the time`
  switch (b.cause) {
    case "endpoint":
      return (
        `limited by the link to an endpoint: ${channelLabel(topology, b.channel)} is ${used}, and more is sent ` +
        `to this endpoint than its link carries${others(b.full)}`
      )
    case "link":
      return (
        `limited by a shared link: ${channelLabel(topology, b.channel)} is ${used}, and more packets need it than it ` +
        `carries${others(b.full)}; a routing with other paths, or more links, would help`
      )
    case "source":
      return `limited by the endpoints: ${b.full} of ${b.sending} send at the full rate of their links`
    case "credits":
      return (
        `limited by the round trip of credits: packets wait for credits of ${channelLabel(topology, b.channel)} ` +
        `that have not returned yet, although the link is idle ${percent(1 - b.use)} of the time; a larger buffer ` +
        "would help"
      )
    case "crossbar":
      return (
        `limited by the crossbars: no link that packets wait for is used more than ${percent(b.use)} of the time, and ` +
        "packets with credits wait for others to be served (head-of-line blocking and allocation); more VCs, queues " +
        "for each output or a faster crossbar would help"
      )
    case "undecided":
      return b.channel < 0
        ? "the cause of the saturation is not decided: no packet waits for a link"
        : "the cause of the saturation is not decided: the busiest link that packets wait for, " +
            `${channelLabel(topology, b.channel)}, is ${used}`
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.995 ? 0 : 1)} %`
}

function others(full: number): string {
  return full < 2 ? "" : ` (${full - 1} more ${full === 2 ? "link is" : "links are"} full)`
}
