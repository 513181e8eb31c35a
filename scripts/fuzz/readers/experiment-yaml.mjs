// Fuzz target: the text of an experiment file.

import { yamlSource } from "../../../dist/experiment/source.js"
import { frames } from "../../../dist/terminal/format-complaint.js"
import { planned, small, textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  JSON.stringify(small, null, 1),
  `lacewing: 1
title: "a title"
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.ugal-l
  switch: { name: input-queued, vcs: 5, buffer: 8flits }
  links: { local: 5cycles, global: 50ns }
traffic:
  - { name: a, pattern: { name: hotspot }, load: 10%, packet: { name: bimodal, short: 1flit, long: 8flits } }
  - { name: b, pattern: uniform, load: 0.1, from: [0, "4-7"] }
measure: { warmup: auto, precision: 2%, limit: 20kcycles, series: 100cycles }
probes: [series, endpoints]
seeds: 3
sweep: { traffic.load: { from: 0.1, to: 0.3, step: 0.1 } }
variants: { one: {}, two: { network: { switch: { vcs: 6 } } } }
expect: ["latency.mean at load=0.1 < 60cycles"]
limits: { time: 5s, memory: 1GiB }
`,
  "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n? [x, y]\n: z\n",
]

function read(bytes) {
  const got = yamlSource("fuzz.yaml", textOf(bytes))
  if ("bad" in got) frames(got.bad)
  else planned(got.ok)
}

export default changedTexts(seeds, read)
