// Random configurations of input-queued routers.
import type { Named, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { finish, links } from "./clocked-run.ts"
import { hasGroups, networkOf } from "./networks.ts"
import type { RandomConfig } from "./random-config.ts"

export function inputQueued(d: RandomConfig, vcs: number): Named {
  const separable = d.chance(0.4)
  const allocator = () =>
    d.pick(
      separable
        ? ["separable-input-first", "separable-output-first"]
        : ["islip", "islip(3)", "pim(2)", "wavefront", "maximum", "separable-input-first"],
    )
  return {
    name: "input-queued",
    vcs,
    buffer: `${d.pick([1, 2, 4, 8, 16])}flits`,
    ...d.maybe(0.25, () => ({ sharing: "damq" })),
    ...d.maybe(0.5, () => ({ route: d.int(0, 2), vc: d.int(1, 2), switch: d.int(1, 2), traverse: d.int(1, 3) })),
    ...d.maybe(0.2, () => ({ speculative: true, vc: 1 })),
    ...d.maybe(0.3, () => ({ speed: d.pick([1.3, 1.5, 2]) })),
    ...d.maybe(0.2, () => ({ inputSpeedup: 2, outputSpeedup: d.int(1, 2) })),
    ...d.maybe(0.3, () => ({ flow: "cut-through", buffer: "16flits" })),
    ...d.maybe(0.3, () => ({ hold: true })),
    ...d.maybe(0.15, () => ({ tailCredit: true })),
    ...d.maybe(0.15, () => ({ busyWhenFull: true })),
    ...d.maybe(0.2, () => ({ creditDelay: `${d.int(1, 4)}cycles` })),
    ...d.maybe(0.15, () => ({ retention: `${d.int(9, 40)}flits` })),
    ...d.maybe(0.7, () => ({ vcAllocator: allocator(), swAllocator: allocator() })),
    ...(separable
      ? {
          vcAllocator: allocator(),
          swAllocator: allocator(),
          ...d.maybe(0.4, () => ({ arbiter: "matrix" })),
          priority: d.pick(["none", "class", "age"]),
        }
      : {}),
  }
}

export function inputQueuedSpec(d: RandomConfig): RunSpec {
  const net = networkOf(d, "any")
  const streams = d.pick([1, 1, 2, 3])
  const reply = streams === 1 && d.chance(0.2)
  const classes = reply ? 2 : d.chance(0.3) ? Math.min(2, streams) : 1
  const vcs = Math.min(31, net.vcs * classes + d.int(0, 2))
  const end = d.int(300, 1500)
  const network: NetworkSpec = {
    topology: net.topology,
    routing: net.routing,
    switch: inputQueued(d, vcs),
    endpoint: { name: "simple", ...d.maybe(0.3, () => ({ vc: "random" })) },
    links: links(d, net, [1, 1, 2, 5, 17]),
    cycle: "1ns",
    flit: "8B",
  }
  const load = d.pick([0.05, 0.2, 0.4, 0.6, 0.9])
  const traffic = {
    packets: ["1flits", "3flits", "6flits"],
    drawn: d.chance(0.5),
    messages: d.chance(0.2),
    groups: hasGroups(net),
    load,
    streams,
    end,
  }
  return finish(d, network, end, { ...traffic, classes: reply ? 1 : classes }, reply)
}
