// @ts-check
// O1TURN on a 2D mesh: each packet draws at its source whether it goes along x or along y first. Each order has
// separate VCs, so both together are free of deadlock.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, fraction, complain }) =>
  plugin({
    kind: "routing",
    name: "my.o1turn",
    about: "A packet goes along x or along y first, drawn at its source.",
    cites: "Near-Optimal Worst-Case Throughput Routing for Two-Dimensional Mesh Networks, D. Seo et al., 2005",
    topologies: ["mesh"],
    adaptive: false,
    most: "minimal",
    scratch: 1,
    params: schema({ yFirst: fraction({ about: "Fraction of packets that go along y first", default: 0.5 }) }),
    check: (_, { topology: { sides = [] } }) =>
      sides.length === 2
        ? []
        : [
            complain(
              "name",
              `does not support a mesh of ${sides.length} dimensions`,
              "give sides two numbers, e.g. 8x8",
            ),
          ],
    vcs: () => 2,
    make({ yFirst }, { topology: { graph, sides = [] }, vcs }) {
      const half = vcs >> 1
      const masks = [2 ** half - 1, (2 ** vcs - 1) & ~(2 ** half - 1)]
      return {
        inject: (packet, _at, net) => net.set(packet, 0, net.draw(packet, 1024) < yFirst * 1024 ? 1 : 0),
        route(packet, at, _inPort, _inVc, net, out) {
          const home = graph.home[net.dst(packet)]
          const goal = graph.routerOf[home]
          if (goal === at) return out.add(home - graph.firstChan[at], 2 ** vcs - 1, 0)
          const order = net.get(packet, 0)
          for (const d of order === 1 ? [1, 0] : [0, 1]) {
            const step = d === 0 ? 1 : sides[0]
            const here = Math.floor(at / step) % sides[d]
            const there = Math.floor(goal / step) % sides[d]
            if (here !== there) return out.add(2 * d + (there > here ? 0 : 1), masks[order], 0)
          }
        },
      }
    },
  })
