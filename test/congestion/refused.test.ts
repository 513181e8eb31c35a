// What congestion protocols refuse: with the place, the reason, and what would do.
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compile/compile.ts"
import type { Named } from "../../src/model/experiment.ts"
import { combinedSpec } from "../support/combined.ts"
import { contention, others } from "../support/contention.ts"
import type { Wish } from "../support/machine.ts"

function refused(congestion: Named, more: Partial<Wish> = {}): { path: string; says: string; fix: string }[] {
  const got = compile(combinedSpec(contention(congestion, [others(0.3)], more)), { read: () => "" })
  return "bad" in got ? got.bad.map(({ path, says, fix }) => ({ path, says, fix })) : []
}
const butterfly = {
  topology: { name: "butterfly", k: 2, n: 3 },
  routing: { name: "butterfly.destination-tag" },
  links: { end: "1cycle", link: "9cycles" },
}

describe("refused", () => {
  test.each<[string, Named, Partial<Wish>, string, string]>([
    [
      "fewer VCs than the classes need",
      { name: "srp" },
      { switch: { vcs: 5 } },
      "network.switch.vcs",
      "set it to at least 6",
    ],
    [
      "fewer VCs than data and control need",
      { name: "cbcm" },
      { switch: { vcs: 3 } },
      "network.switch.vcs",
      "set it to at least 4",
    ],
    ["eps 0", { name: "cbcm", eps: 0 }, {}, "network.congestion.eps", "choose a value above 0, at most 1"],
    [
      "Kmin above Kmax",
      { name: "dcqcn", kmin: "400flits" },
      { switch: { vcs: 5 } },
      "network.congestion.kmin",
      "set it to at most 319flits, or kmax to more",
    ],
    [
      "Kmin above Kmax",
      { name: "nscc", kmin: "64flits", kmax: "64flits" },
      { switch: { vcs: 5 } },
      "network.congestion.kmin",
      "set it to at most 63flits, or kmax to more",
    ],
    [
      "an epoch shorter than a packet",
      { name: "cbcm", epoch: "20cycles" },
      {},
      "network.congestion.epoch",
      "set it to at least 32cycles",
    ],
    [
      "an epoch of routers shorter than a packet",
      { name: "cbcm", detect: "router", routerEpoch: "20cycles" },
      {},
      "network.congestion.routerEpoch",
      "set it to at least 32cycles",
    ],
    [
      "a queue that is not one for each output",
      { name: "hpcc" },
      { switch: { vcs: 5, queues: "fifo" } },
      "network.switch.queues",
      "set it to voq",
    ],
    [
      "answers without a way back",
      { name: "lhrp" },
      { ...butterfly, switch: { vcs: 7 } },
      "network.congestion.name",
      "choose a topology with bidirectional links, or a protocol without responses from routers, such as ecn-delay",
    ],
    [
      "throttles of routers without a way back",
      { name: "cbcm", detect: "router" },
      { ...butterfly, switch: { vcs: 7 } },
      "network.congestion.name",
      "choose a topology with bidirectional links, or a protocol without responses from routers, such as ecn-delay",
    ],
  ])("%s", (_, congestion, more, path, fix) => {
    const bad = refused(congestion, more)
    expect(bad.map((c) => [c.path, c.fix])).toContainEqual([path, fix])
  })
  test("what is not refused", () => expect(refused({ name: "cbcm", detect: "router" })).toEqual([]))
  test.each(["dcqcn", "hpcc", "nscc", "rccc", "cbcm", "srp"])("%s on a switch that moves flits", (name) => {
    const spec = combinedSpec(contention({ name }, [others(0.3)]))
    const got = compile(
      { ...spec, network: { ...spec.network, switch: { name: "input-queued", vcs: 8 } } },
      { read: () => "" },
    )
    const says = "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`).join("\n") : ""
    expect(says).toContain("network.congestion.name")
    expect(says).toContain("combined")
  })
  test("detection on the way where outputs are not watched names the switch that does", () => {
    const spec = combinedSpec(contention({ name: "cbcm", detect: "router" }, [others(0.3)]))
    const got = compile(
      { ...spec, network: { ...spec.network, switch: { name: "infiniband", vcs: 8 } } },
      { read: () => "" },
    )
    expect("bad" in got ? got.bad.map((c) => c.says).join() : "").toContain(
      "needs marks on packets that cross to an output",
    )
  })
})
