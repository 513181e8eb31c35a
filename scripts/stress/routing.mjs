// The text of a routing that fails on purpose: dimension order on a mesh until `after` packets were routed at router
// `router`, then `kind`. The text contains everything, so the name of the run covers it, as for any plug-in. The worker
// that owns the router fails; during the warm-up of threads, any worker may.
export const KINDS = ["throw", "memory", "slow"]

export function routingText({ router, after, kind }) {
  return `
export default {
  kind: "routing",
  name: "stress.failing",
  about: "Dimension order on a mesh that fails after a number of packets.",
  topologies: ["mesh"],
  adaptive: false,
  most: "minimal",
  vcs: () => 1,
  make(_, { topology, vcs }) {
    const { graph } = topology
    let left = ${after}
    return {
      route(packet, at, _inPort, _inVc, net, out) {
        if (at === ${router} && left-- === 0) ({ ${failing[kind]} }).${kind}("planted: ${kind} at router ${router}")
        let channel = graph.home[net.dst(packet)]
        const goal = graph.routerOf[channel]
        const nearer = (c) => graph.far[c] >= 0 && topology.hops(graph.routerOf[graph.far[c]], goal) < topology.hops(at, goal)
        if (goal !== at) for (channel = graph.firstChan[at]; !nearer(channel); channel++);
        out.add(channel - graph.firstChan[at], 2 ** vcs - 1, 0)
      },
    }
  },
}
`
}

/**
 * Kind -> how a worker fails. `slow` has an error text that takes long to write; the others notice, sleep or are
 * terminated meanwhile.
 */
export const failing = {
  throw(text) {
    throw new Error(text)
  },
  memory(text) {
    throw new RangeError(text)
  },
  slow(text) {
    const error = new Error(text)
    Object.defineProperty(error, "stack", {
      get() {
        let x = 1
        for (let i = 0; i < 2e7; i++) x = (Math.imul(x, 5) + i) | 0
        return text + x
      },
    })
    throw error
  },
}
