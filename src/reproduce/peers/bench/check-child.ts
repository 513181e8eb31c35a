// One network checked in full, as `lacewing check` does it: prints the row.

import { compileNetwork } from "../../../compile/build-network.ts"
import { checkNetwork } from "../../../inspect/check-network.ts"
import { checkSubjects } from "./check.ts"

const s = checkSubjects.find((x) => x.name === process.argv[2])
if (s === undefined) throw new Error(`no network ${process.argv[2]}`)
const made = compileNetwork(
  {
    topology: s.topology,
    routing: { name: s.routing },
    switch: { name: "input-queued", vcs: s.vcs, flow: "cut-through" },
    endpoint: { name: "simple" },
    links: {},
    cycle: "1ns",
    flit: "8B",
  },
  1,
  1,
  { read: () => "" },
)
if ("bad" in made) throw new Error(JSON.stringify(made.bad))
const check = checkNetwork(made.ok)
if (!check.deadlock.free) throw new Error(check.words.join("\n"))
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    name: s.name,
    endpoints: made.ok.topology.graph.ends,
    by: check.deadlock.by,
    vcs: check.vcs.least,
    work: Number(/walked (\d+)/.exec(check.deadlock.method)?.[1]),
    cpuSeconds: (user + system) / 1e6,
    rss: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
)
