// Fuzz target: numbers with units, fractions, endpoint ranges and thresholds.
import { fractionOf, quantity } from "../../../dist/core/units.js"
import { expectation } from "../../../dist/experiment/expect.js"
import { machines, values } from "../../../dist/experiment/values/list.js"
import { ofData, small, textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  "5cycles",
  "64KiB",
  "25Gbps",
  "1_000.5e-3 us",
  "40%",
  "0-15",
  "latency.mean at load=0.1 < 60cycles",
  ".5ms",
  "1e308GiB",
]
const dimensions = ["cycles", "flits", "time", "bytes", "rate", "packets", "length"]
const grounds = {
  points: new Map([["load", [0.1, 0.2]]]),
  aliases: new Map(),
  pinned: new Map(),
  owners: ["uniform"],
  scale: { cycle: 1000, flit: 8 },
  list: { values, machines },
}

function read(bytes) {
  const text = textOf(bytes)
  for (const as of dimensions) quantity(text, as)
  fractionOf(text)
  expectation(text, "expect", grounds)
  ofData({ ...small, traffic: { ...small.traffic, from: text, start: text }, limits: { time: text, memory: text } })
}

export default changedTexts(seeds, read)
