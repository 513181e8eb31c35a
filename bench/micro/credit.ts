// Credits packed into words by one stage and unpacked by another: with the named functions of fabric/credit.ts, and
// with the arithmetic written out.
import { creditFlits, creditLane, creditWord } from "../../src/fabric/credit.ts"
import { race } from "./race.ts"

const CREDITS = 65_536
const words = new Int32Array(CREDITS)
const capacity = new Int32Array(32)

await race("pack and unpack a credit (per credit)", CREDITS, {
  "named functions": () => {
    capacity.fill(0)
    for (let i = 0; i < CREDITS; i++) words[i] = creditWord(i & 31, 1 + (i & 15))
    for (let i = 0; i < CREDITS; i++) capacity[creditLane(words[i])] += creditFlits(words[i])
    return capacity.reduce((a, b) => a + b, 0)
  },
  "written out": () => {
    capacity.fill(0)
    for (let i = 0; i < CREDITS; i++) words[i] = ((i & 31) << 16) | (1 + (i & 15))
    for (let i = 0; i < CREDITS; i++) capacity[words[i] >>> 16] += words[i] & 0xffff
    return capacity.reduce((a, b) => a + b, 0)
  },
})
