// One run of `lacewing bench parallel` in a process of its own: engine as JSON, microseconds, credit latency, network, workers. More workers than cores are started if they are asked for.

import * as lab from "../../run/open.ts"
import { threads } from "../../run/threads.ts"
import type { TeamTimes } from "../../run/times.ts"
import type { ParallelAnswer } from "./parallel.ts"
import { parallelNetworks } from "./parallel-networks.ts"

const [engine, us, credit, network = "slimfly", asked = "1"] = process.argv.slice(2)
const workers = Number(asked)
const spec = parallelNetworks.find((n) => n.name === network)!.spec(Number(us), credit!)
const prepared = lab.prepare({ ...spec, engine: { ...spec.engine, ...JSON.parse(engine!) } }, { read: () => "" })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
const before = process.cpuUsage()
let times: TeamTimes | undefined
const onTimes = (t: TeamTimes) => {
  times = t
}
const { fingerprint, values } = await lab.simulate(prepared.ok, { workers, onTimes }, { ...threads, cores: workers })
const { user, system } = process.cpuUsage(before)
const answer: ParallelAnswer = {
  ...{ fingerprint, values, seconds: values["seconds"]!, cpu: (user + system) / 1e6 },
  ...(times === undefined ? {} : { times }),
}
console.log(JSON.stringify(answer))
