// Random configurations of queue-scheme switches.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { finish } from "./clocked-run.ts"
import type { RandomConfig } from "./random-config.ts"

function queueScheme(d: RandomConfig): Named {
  const memory = { memory: `${d.pick([64, 128, 256])}flits` }
  const stop = d.int(1, 4)
  const lined = {
    ...memory,
    ...{ detect: d.int(1, 4), stop, go: d.int(0, stop), lines: d.int(1, 5), timer: `${d.pick([0, 16, 100])}cycles` },
  }
  const isolating = {
    ...lined,
    ...d.maybe(0.3, () => ({ cascade: false })),
    ...d.maybe(0.3, () => ({ stopRule: "line" })),
    ...d.maybe(0.3, () => ({
      split: "static",
      lines: d.int(1, 3),
      memory: "256flits",
      credits: d.pick(["pool", "nfq"]),
    })),
    ...d.maybe(0.3, () => ({ header: `${d.int(0, 9)}flits`, each: `${d.int(0, 3)}flits` })),
  }
  return {
    name: "queue-scheme",
    ...d.pick<object>([
      { scheme: "1q", ...memory },
      { scheme: "dbbm", queues: d.int(2, 8), ...memory },
      { scheme: "voq-switch", ...memory },
      { scheme: "voq-network", queue: `${d.pick([8, 16, 32])}flits` },
      { scheme: "fbicm-1", ...isolating, ...d.maybe(0.3, () => ({ stopList: "field" })) },
      {
        scheme: "fbicm-2",
        ...isolating,
        ...d.maybe(0.5, () => ({ list: d.int(1, 4) })),
        ...d.maybe(0.3, () => ({ allocateAck: false })),
      },
      { scheme: "recn", ...lined, ...d.maybe(0.3, () => ({ detection: "off" })) },
      {
        scheme: "bfc",
        ...memory,
        queues: d.int(1, 32),
        flows: d.pick([1, 7, 64, 256]),
        ...d.maybe(0.5, () => ({ stop: d.int(1, 4), go: d.int(0, 1) })),
      },
    ]),
    ...d.maybe(0.3, () => ({ pipeline: `${d.int(1, 4)}cycles` })),
    ...d.maybe(0.3, () => ({ iterations: d.int(2, 3) })),
    ...d.maybe(0.2, () => ({ slot: "8cycles" })),
  }
}

/** Injection queues are those of the scheme; lines are looked for in them only where there are some. */
function adapter(d: RandomConfig, scheme: unknown): Named {
  if (scheme === "recn" || scheme === "bfc") return { name: "adapter" }
  const lined = scheme === "fbicm-1" || scheme === "fbicm-2"
  return {
    ...{ name: "adapter", injection: "copy" },
    ...d.maybe(0.3, () => ({ rate: "any" })),
    ...d.maybe(0.2, () => ({ admittance: "fifo" })),
    ...(lined ? { ...d.maybe(0.3, () => ({ gate: false })), ...d.maybe(0.4, () => ({ detect: true })) } : {}),
  }
}

export function queueSchemeSpec(d: RandomConfig): RunSpec {
  const huge = d.huge > 0 && d.chance(d.huge)
  const small = d.pick<Pick<NetworkSpec, "topology" | "routing">>([
    { topology: { name: "tree", k: 2, n: 3 }, routing: { name: "tree.destination-digit" } },
    { topology: { name: "tree", k: 3, n: 2 }, routing: { name: "tree.destination-digit" } },
    {
      topology: { name: "tree", k: 4, n: 2 },
      routing: { name: "tree.nearest-ancestor", up: d.pick(["random", "adaptive"]) },
    },
    { topology: { name: "mesh", sides: "3x2", p: 2 }, routing: { name: "mesh.dimension-order" } },
  ])
  const net = huge
    ? { ...small, topology: { name: "tree", k: 4, n: 5 }, routing: { name: "tree.destination-digit" } }
    : small
  const end = d.int(800, 2500)
  const sw = queueScheme(d)
  const network: NetworkSpec = {
    ...net,
    switch: sw,
    endpoint: d.pick<Named>([
      adapter(d, sw["scheme"]),
      { name: "adapter" },
      { name: "adapter", admittance: "fifo" },
      { name: "adapter", backlog: d.int(1, 40) },
      { name: "simple" },
    ]),
    links: { link: `${d.pick([1, 5, 40])}cycles`, end: `${d.int(1, 5)}cycles` },
    cycle: "1ns",
    flit: "1B",
  }
  const traffic = {
    packets: ["1flits", "5flits", "8flits"],
    drawn: d.chance(0.4),
    messages: d.chance(0.3),
    groups: false,
    load: d.pick([0.1, 0.3, 0.6, 0.9]),
    end,
  }
  return finish(d, network, end, { ...traffic, streams: d.pick([1, 1, 2]), classes: 1 }, false)
}
