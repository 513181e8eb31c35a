// Runs the network of the stashing paper on 1, 2 and 4 worker threads. Prints the seconds and the fingerprint of each;
// the exit code is 1 if fingerprints differ. Threads beyond the cores of the machine are not started.
//   node bench/tiled-workers.mjs [net=small|mid|full] [load=0.9] [us=10] [stash=1]

import { stashingRun } from "../dist/reproduce/papers/stashing/network.js"
import { prepare, simulate } from "../dist/run/simulate.js"

const given = Object.fromEntries(
  process.argv.slice(2).map((a) => [a.slice(0, a.indexOf("=")), a.slice(a.indexOf("=") + 1)]),
)
const us = Number(given["us"] ?? 10)
const spec = stashingRun({
  net: given["net"] ?? "full",
  load: Number(given["load"] ?? 0.9),
  seed: 1,
  stash: Number(given["stash"] ?? 1),
  warm: Math.floor(us / 2),
  window: us - Math.floor(us / 2),
})
const prints = new Set()
for (const workers of [1, 2, 4]) {
  const prepared = prepare(spec, { read: (path) => path })
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad, undefined, 1))
  const { fingerprint, values } = await simulate(prepared.ok, { workers })
  prints.add(fingerprint)
  console.log(
    JSON.stringify({
      workers,
      seconds: Number(values["seconds"].toFixed(1)),
      accepted: values["accepted"],
      fingerprint,
    }),
  )
}
console.log(prints.size === 1 ? "the same" : "NOT the same")
process.exitCode = prints.size === 1 ? 0 : 1
