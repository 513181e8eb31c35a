// The scheme `voq-network`: one virtual output queue for each endpoint of the network. No packet waits behind a packet
// to another endpoint, but the memory grows with the network.
import { QUEUE } from "../params.ts"
import type { SchemeFile } from "../scheme.ts"

export default {
  name: "voq-network",
  keys: ["queue"],
  make: ({ p, ends }) => ({
    queues: ends,
    lanes: ends,
    laneFlits: p.queue ?? QUEUE,
    table: false,
    alike: true,
    lane: (_, dst) => dst,
  }),
} satisfies SchemeFile
