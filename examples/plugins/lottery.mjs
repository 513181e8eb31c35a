// @ts-check
// Lottery scheduling: each queue that can send holds its number of tickets, and the output draws one of them. The
// counter of the random numbers is a column, so that any number of workers draws the same tickets.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, list, int, random: { draw, below } }) =>
  plugin({
    kind: "qos",
    name: "my.lottery",
    about: "Draws the queue that is served, in proportion to its tickets.",
    cites:
      "Lottery Scheduling: Flexible Proportional-Share Resource Management, C. A. Waldspurger and W. E. Weihl, 1994",
    limits: "tickets count packets, so queues with longer packets get more",
    example: { tickets: [3, 1, 2] },
    params: schema({
      tickets: list(int({ about: "Tickets", min: 1, max: 255 }), {
        about: "Tickets of each queue, from queue 0 on; 1 for queues beyond the end of the list",
        default: [],
      }),
    }),
    make: ({ tickets }) => ({
      shares: { unit: "messages", of: (queues) => Array.from({ length: queues }, (_, i) => tickets[i] ?? 1) },
      build({ rows, queues, ints, stream }) {
        /** [row] -> lots that it has drawn */
        const drawn = ints(rows)
        return {
          columns: { drawn },
          hears: false,
          arrived() {},
          // The draw counts when the packet is sent, so that a repeated pick is the same.
          pick(row, sendable) {
            let all = 0
            for (let q = 0; q < queues; q++) if ((sendable >> q) & 1) all += tickets[q] ?? 1
            let lot = below(draw(stream(row), drawn[row]), all)
            for (let q = 0; q < queues; q++) {
              if (((sendable >> q) & 1) === 0) continue
              lot -= tickets[q] ?? 1
              if (lot < 0) return q
            }
            return -1
          },
          sent: (row) => void drawn[row]++,
        }
      },
    }),
  })
