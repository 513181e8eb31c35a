// @ts-check
// Weighted round robin by packets: a queue may send `weights[i]` packets per visit, if it has them. The state of each
// output is in two columns, so that workers and snapshots include it.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, list, int }) =>
  plugin({
    kind: "qos",
    name: "my.weighted-round-robin",
    about: "Serves the queues in turn, each with its number of packets per visit.",
    limits: "weights count packets, so queues with longer packets get more",
    example: { weights: [3, 1, 2] },
    params: schema({
      weights: list(int({ about: "Packets per visit", min: 1, max: 255 }), {
        about: "Packets per visit of each queue, from queue 0 on; 1 for queues beyond the end of the list",
        default: [],
      }),
    }),
    make: ({ weights }) => ({
      shares: { unit: "messages", of: (queues) => Array.from({ length: queues }, (_, i) => weights[i] ?? 1) },
      build({ rows, queues, ints }) {
        /** [row] -> queue that is visited, and packets that it may still send */
        const columns = { at: ints(rows), left: ints(rows) }
        const { at, left } = columns
        return {
          columns,
          hears: false,
          arrived() {},
          pick(row, sendable) {
            if (sendable === 0) return -1
            if (left[row] > 0 && (sendable >> at[row]) & 1) return at[row]
            for (let n = 1; n <= queues; n++) {
              const queue = (at[row] + n) % queues
              if ((sendable >> queue) & 1) return queue
            }
            return -1
          },
          sent(row, queue) {
            if (queue !== at[row] || left[row] === 0) {
              at[row] = queue
              left[row] = weights[queue] ?? 1
            }
            left[row]--
          },
        }
      },
    }),
  })
