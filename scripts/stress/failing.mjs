// A routing that fails on purpose: dimension order on a mesh until worker `worker` has routed `after` packets, then what `kind` says. The orders come by
// the environment, because every thread of a run copies it when it starts.
import { threadId, workerData } from "node:worker_threads"

/** kind -> how a worker fails while it routes */
export const kinds = {
  throw(text) {
    throw new Error(text)
  },
  memory(text) {
    throw new RangeError(text)
  },
  // a text that takes long to write: others notice, sleep or are terminated meanwhile
  slow(text) {
    const error = new Error(text)
    Object.defineProperty(error, "stack", {
      get() {
        for (let from = performance.now(); performance.now() < from + 20; );
        return text
      },
    })
    throw error
  },
  // what a thread that runs out of memory looks like from outside
  exit() {
    process.exit(3)
  },
  // before the thread is ready
  make() {},
}

export default {
  kind: "routing",
  name: "stress.failing",
  about: "Dimension order on a mesh that fails after a number of packets.",
  topologies: ["mesh"],
  adaptive: false,
  most: "minimal",
  vcs: () => 1,
  make(_, { topology, vcs }) {
    const { workers, after, kind } = JSON.parse(process.env.LACEWING_FAIL)
    const me = workerData?.me ?? 0
    const mine = workers.includes(me)
    const text = `planted: ${kind} in worker ${me}`
    if (mine && kind === "make" && threadId > 0) throw new Error(text)
    const { graph } = topology
    let left = mine ? after : Number.POSITIVE_INFINITY
    return {
      route(packet, at, _inPort, _inVc, net, out) {
        if (left-- === 0) kinds[kind](text)
        let channel = graph.home[net.dst(packet)]
        const goal = graph.routerOf[channel]
        const nearer = (c) => graph.far[c] >= 0 && topology.hops(graph.routerOf[graph.far[c]], goal) < topology.hops(at, goal)
        if (goal !== at) for (channel = graph.firstChan[at]; !nearer(channel); channel++);
        out.add(channel - graph.firstChan[at], 2 ** vcs - 1, 0)
      },
    }
  },
}
