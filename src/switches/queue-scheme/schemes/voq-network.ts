// Virtual output queues of the network: a queue for each endpoint. Nothing ever waits behind a packet to somewhere else; memory grows with the network.
import { QUEUE } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "voq-network",
  keys: ["queue"],
  make: ({ p, ends }) => ({ queues: ends, lanes: ends, laneFlits: p.queue ?? QUEUE, table: false, alike: true, lane: (_, dst) => dst }),
} satisfies SchemeFile
