// @ts-check
// A ring of routers with a chord from each router to the opposite one. `size` returns the numbers of the network
// without building it. The link classes (end, ring, chord) let an experiment give each of them its own latency.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, complain, GraphBuilder }) =>
  plugin({
    kind: "topology",
    name: "my.chordal-ring",
    about: "A ring with a chord from each router to the opposite one.",
    params: schema({
      routers: int({ about: "Number of routers, even", min: 4, max: 10_000, default: 8 }),
      p: int({ about: "Endpoints per router", min: 1, max: 64, default: 1 }),
    }),
    check: ({ routers }) =>
      routers % 2 === 0 ? [] : [complain("routers", `is ${routers}, which is odd`, "choose an even number")],
    size: ({ routers, p }) => ({ ends: routers * p, routers, chans: routers * (p + 3) }),
    make({ routers, p }) {
      // Ports of a router: its endpoints, then clockwise, counterclockwise and the chord.
      const b = new GraphBuilder(routers * p, routers, p + 3, { classes: ["end", "ring", "chord"] })
      for (let r = 0; r < routers; r++) {
        for (let i = 0; i < p; i++) b.attach(r * p + i, r, i)
        b.link(r, p, (r + 1) % routers, p + 1, 1)
        if (r < routers / 2) b.link(r, p + 2, r + routers / 2, p + 2, 2)
      }
      const along = (n) => Math.min(n, routers - n)
      return {
        name: "my.chordal-ring",
        graph: b.finish(),
        // Along the ring, or over one chord and then along the ring.
        hops(a, c) {
          const n = Math.abs(a - c)
          return Math.min(along(n), 1 + along(Math.abs(n - routers / 2)))
        },
        label: (r) => `router ${r}`,
      }
    },
  })
