// @ts-check
// HammingMesh: boards of a x b accelerators with a 2D mesh on each, x by y boards. The two ends of a row of
// accelerators of all boards meet in one switch, and so do those of a column. The module has the topology and a UGAL
// that chooses rows first or columns first. Router ids: accelerators row by row, then row switches, then column
// switches. Ports of an accelerator: 0 endpoint, 1 east, 2 west, 3 north, 4 south. Ports of a switch: 2 * board + (0:
// low end, 1: high end).
const cites = "HammingMesh: A Network Topology for Large-Scale Deep Learning, T. Hoefler et al., 2022"

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, flits, GraphBuilder, distances }) => {
  const count = (about, min, value) => int({ about, min, max: 32, default: value })
  const topology = plugin({
    kind: "topology",
    name: "my.hammingmesh",
    about: "Boards of accelerators in a mesh, joined by a switch for each row and column.",
    cites,
    params: schema({
      a: count("Accelerators of a board in a row", 1, 2),
      b: count("Accelerators of a board in a column", 1, 2),
      x: count("Boards in a row", 2, 4),
      y: count("Boards in a column", 2, 4),
    }),
    size({ a, b, x, y }) {
      const [w, h] = [a * x, b * y]
      return { ends: w * h, routers: w * h + w + h, chans: 5 * w * h + 2 * (x * h + y * w) }
    },
    make({ a, b, x, y }) {
      const [w, h] = [a * x, b * y]
      const nodes = w * h
      const ports = [...Array(nodes).fill(5), ...Array(h).fill(2 * x), ...Array(w).fill(2 * y)]
      const g = new GraphBuilder(nodes, nodes + h + w, ports, { classes: ["end", "board", "switch"] })
      /** Links place s of a row or column of boards of k accelerators. */
      const join = (n, s, k, next, sw, up, down) => {
        if (s % k !== k - 1) g.link(n, up, next, down, 1)
        else g.link(n, up, sw, 2 * Math.floor(s / k) + 1, 2)
        if (s % k === 0) g.link(n, down, sw, 2 * Math.floor(s / k), 2)
      }
      for (let n = 0; n < nodes; n++) {
        g.attach(n, n, 0)
        join(n, n % w, a, n + 1, nodes + Math.floor(n / w), 1, 2)
        join(n, Math.floor(n / w), b, n + w, nodes + h + (n % w), 4, 3)
      }
      const graph = g.finish()
      const label = (r) => (r < nodes ? `accelerator ${r % w},${Math.floor(r / w)}` : `switch ${r - nodes}`)
      return { name: "my.hammingmesh", graph, hops: distances(graph), label, ...{ a, b, w, h, nodes } }
    },
  })
  const routing = plugin({
    kind: "routing",
    name: "my.hammingmesh.ugal",
    about: "Rows first or columns first, whichever first channel has the shorter queue.",
    cites,
    topologies: ["my.hammingmesh"],
    params: schema({ bias: flits({ about: "Advantage of rows first", default: "0flits" }) }),
    scratch: 1,
    vcs: () => 4,
    make({ bias }, { topology: t, vcs }) {
      // Two VCs per order: up to the switch, and behind it.
      const quarter = Math.floor(vcs / 4)
      const mask = (k) => (k < 3 ? (2 ** quarter - 1) << (k * quarter) : 2 ** vcs - 2 ** (3 * quarter))
      const firstQueue = (at, goal, order, net) => net.queued(t.graph.firstChan[at] + step(t, at, goal, order)[0])
      const goalOf = (p, net) => t.graph.routerOf[t.graph.home[net.dst(p)]]
      return {
        inject(p, at, net) {
          const goal = goalOf(p, net)
          if (goal === at) return net.set(p, 0, 0)
          net.set(p, 0, firstQueue(at, goal, 0, net) <= firstQueue(at, goal, 1, net) + bias ? 0 : 1)
        },
        route(p, at, _inPort, _inVc, net, out) {
          const goal = goalOf(p, net)
          if (at === goal) return out.add(0, 2 ** vcs - 1, 0)
          const [port, behind] = step(t, at, goal, net.get(p, 0))
          out.add(port, mask(2 * net.get(p, 0) + behind), 0)
        },
      }
    },
  })
  return [topology, routing]
}

/**
 * Returns the next port in dimension order, and 1 behind a switch or without one. Order 0: rows first.
 * @param {any} mesh the topology with its own members
 */
function step(mesh, at, goal, order) {
  const { w, h, nodes, a, b } = mesh
  const place = (n, row) => (row ? n % w : Math.floor(n / w))
  const high = (s, k) => (k - 1 - (s % k) < s % k ? 1 : 0)
  if (at >= nodes) {
    // Behind a switch, packets enter the board at the nearer end.
    const [g, k] = at < nodes + h ? [place(goal, true), a] : [place(goal, false), b]
    return [2 * Math.floor(g / k) + high(g, k), 1]
  }
  const alongRow = order === 0 ? place(at, true) !== place(goal, true) : place(at, false) === place(goal, false)
  const [s, g, k, up, down] = [place(at, alongRow), place(goal, alongRow), ...(alongRow ? [a, 1, 2] : [b, 4, 3])]
  if (Math.floor(s / k) === Math.floor(g / k)) return [g > s ? up : down, 1]
  return [high(s, k) ? up : down, 0]
}
