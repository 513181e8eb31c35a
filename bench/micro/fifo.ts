// FIFO queues linked through packet records: append and remove with the named functions of
// switches/parts/packet-queues.ts, and with the same code inlined.
import { NEXT } from "../../src/fabric/packets.ts"
import { makePacketQueues } from "../../src/switches/parts/packet-queues.ts"
import { race } from "./race.ts"

const QUEUES = 256
const STRIDE = 16
const PACKETS = 4096
const packets = new Int32Array((PACKETS + 1) * STRIDE)
const { push, pop, first } = makePacketQueues(packets, QUEUES)
const heads = new Int32Array(2 * QUEUES)

await race("append a packet to a queue and take it out (per packet)", PACKETS, {
  "named functions": () => {
    let sum = 0
    for (let i = 1; i <= PACKETS; i++) push((i * 7) & (QUEUES - 1), i * STRIDE)
    for (let q = 0; q < QUEUES; q++) while (first(q) !== 0) sum += pop(q)
    return sum
  },
  "written out": () => {
    let sum = 0
    for (let i = 1; i <= PACKETS; i++) {
      const q = (i * 7) & (QUEUES - 1)
      const p = i * STRIDE
      packets[p + NEXT] = 0
      if (heads[2 * q] === 0) heads[2 * q] = p
      else packets[heads[2 * q + 1] + NEXT] = p
      heads[2 * q + 1] = p
    }
    for (let q = 0; q < QUEUES; q++) {
      while (heads[2 * q] !== 0) {
        const p = heads[2 * q]
        heads[2 * q] = packets[p + NEXT]
        sum += p
      }
    }
    return sum
  },
})
