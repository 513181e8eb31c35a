// An experiment as the library gets it: any value of JSON.
import { jsonOf, ofData, small } from "./small.mjs"

export const seeds = [
  JSON.stringify(small),
  JSON.stringify({ ...small, engine: "packet", seeds: [1, 2], sweep: { "traffic.load": [0.1, 0.2] } }),
  "[]",
  "null",
]

export default function (bytes) {
  const value = jsonOf(bytes)
  if (value !== undefined) ofData(value)
}
