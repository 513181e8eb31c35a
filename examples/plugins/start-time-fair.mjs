// @ts-check
// Start-time fair queueing, a relative of WFQ without its fluid server. A packet has a start tag: the finish tag of the
// packet before it in its queue, or the start tag of the packet in service if that is larger. The finish tag adds its
// length divided by the weight. Packets leave in the order of start tags.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, scheduling: { weightsField, weightsComplaints, weighted, sharesOf } }) =>
  plugin({
    kind: "qos",
    name: "my.start-time-fair",
    about: "Start-time fair queueing: packets leave in the order of their start tags.",
    cites:
      "Start-time Fair Queueing: A Scheduling Algorithm for Integrated Services, P. Goyal, H. Vin and H. Cheng, 1996",
    limits: "a queue without a weight is never served",
    params: schema({ weights: weightsField }),
    example: { weights: [3, 1, 2, 1, 1, 1] },
    check: ({ weights }) => weightsComplaints(weights),
    make: ({ weights }) => ({
      serves: weighted(weights),
      shares: { unit: "units", of: () => weights },
      build({ rows, queues, reals, ints }) {
        const share = sharesOf(weights, queues)
        /** [row] -> start tag of the packet that was sent last */
        const virtual = reals(rows)
        /** [row * queues + queue] -> start tag of the head packet, and number of waiting packets */
        const start = reals(rows * queues)
        const waiting = ints(rows * queues)
        const serves = weighted(weights)
        return {
          columns: { virtual, start, waiting },
          hears: true,
          arrived(row, queue) {
            const i = row * queues + queue
            if (waiting[i]++ === 0) start[i] = Math.max(start[i], virtual[row])
          },
          pick(row, sendable) {
            let best = -1
            for (let queue = 0; queue < queues; queue++) {
              if (((sendable & serves) >> queue) % 2 === 0) continue
              if (best < 0 || start[row * queues + queue] < start[row * queues + best]) best = queue
            }
            return best
          },
          sent(row, queue, size) {
            const i = row * queues + queue
            virtual[row] = start[i]
            start[i] += size / share[queue]
            waiting[i]--
          },
        }
      },
    }),
  })
