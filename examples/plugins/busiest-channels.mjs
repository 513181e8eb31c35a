// @ts-check
// The busiest channels of a run, and their share of all flits. A probe is a function of the counters of a finished run.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int }) =>
  plugin({
    kind: "probe",
    name: "my.busiest",
    about: "Lists the busiest channels and their share of all flits.",
    // the report draws one bar for each row of the table
    figures: [
      {
        table: "my.busiest",
        kind: "bars",
        title: "The busiest channels",
        x: { column: "chan", label: "channel" },
        y: { column: "load", label: "Load (flits per cycle)" },
      },
      // the network, with these channels in colour
      {
        table: "my.busiest",
        kind: "graph",
        title: "The busiest channels in the network",
        x: { column: "router", label: "from router" },
        y: { column: "next", label: "to" },
        value: { column: "load", label: "flits per cycle" },
      },
    ],
    params: schema({ count: int({ about: "Number of channels", min: 1, max: 1000, default: 5 }) }),
    make: ({ count }, { topology }) => ({
      report({ channel, window }) {
        const order = Array.from(channel.keys())
          .sort((a, b) => channel[b] - channel[a] || a - b)
          .slice(0, count)
        const all = channel.reduce((a, b) => a + b, 0)
        const busiest = order.reduce((sum, c) => sum + channel[c], 0)
        return {
          tables: {
            "my.busiest": {
              chan: order,
              from: order.map((c) => topology.label(topology.graph.routerOf[c])),
              router: order.map((c) => topology.graph.routerOf[c]),
              next: order.map((c) => nextOf(topology.graph, c)),
              load: order.map((c) => channel[c] / window),
            },
          },
          values: { "my.busiest.share": all === 0 ? 0 : busiest / all },
        }
      },
    }),
  })

/** Returns the router that a channel leads to, or -2 - e if it leads to endpoint e. */
const nextOf = ({ far, routerOf }, c) => (far[c] >= 0 ? routerOf[far[c]] : far[c])
