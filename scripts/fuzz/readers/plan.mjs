// Fuzz target: the keys that expand into runs: sweeps, ranges, zips, variants, seeds, thresholds, searches. The bytes
// are the JSON of those keys.
import { jsonOf, ofData, small } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  '{"sweep":{"traffic.load":{"from":0.1,"to":0.9,"step":0.1}},"seeds":3}',
  '{"sweep":{"network.switch.vcs":[2,4],"traffic.pattern":["uniform",{"name":"tornado"}]},' +
    '"zip":{"traffic.load":[0.1,0.2],"measure.limit":["1kcycles","2kcycles"]}}',
  '{"variants":{"a":null,"b":{"traffic":{"load":0.2}}},"expect":["latency.mean < 50cycles"],"seeds":[1,-2]}',
  '{"search":{"name":"saturation","from":0.1}}',
  '{"sweep":{"traffic.load":{"from":1e-7,"to":5e-7,"step":1e-7}},"limits":{"time":"1s"}}',
]

function read(bytes) {
  const value = jsonOf(bytes)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) ofData({ ...small, ...value })
}

export default changedTexts(seeds, read)
