// Fuzz target: an experiment as the library receives it, any JSON value.
import { jsonOf, ofData, small } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  JSON.stringify(small),
  JSON.stringify({ ...small, engine: "packet", seeds: [1, 2], sweep: { "traffic.load": [0.1, 0.2] } }),
  "[]",
  "null",
]

function read(bytes) {
  const value = jsonOf(bytes)
  if (value !== undefined) ofData(value)
}

export default changedTexts(seeds, read)
