// One run of `lacewing bench parallel` in a separate process. Its arguments are engine as JSON, microseconds, credit
// latency, network and workers. It starts more workers than cores if the arguments request them.

import * as lab from "../../../run/open.ts"
import { threads } from "../../../run/threads.ts"
import type { GroupTimes } from "../../../run/times.ts"
import type { ParallelAnswer } from "./parallel.ts"
import { parallelNetworks } from "./parallel-networks.ts"

const [engine, us, credit, network = "slimfly", asked = "1"] = process.argv.slice(2)
const workers = Number(asked)
const spec = parallelNetworks.find((n) => n.name === network)!.spec(Number(us), credit!)
const prepared = lab.prepare({ ...spec, engine: { ...spec.engine, ...JSON.parse(engine!) } }, { read: () => "" })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
const before = process.cpuUsage()
let times: GroupTimes | undefined
const onTimes = (t: GroupTimes) => {
  times = t
}
const { fingerprint, values } = await lab.simulate(prepared.ok, { workers, onTimes }, { ...threads, cores: workers })
const { user, system } = process.cpuUsage(before)
const answer: ParallelAnswer = {
  ...{ fingerprint, values, seconds: values["seconds"], cpu: (user + system) / 1e6 },
  ...(times === undefined ? {} : { times }),
}
console.log(JSON.stringify(answer))
