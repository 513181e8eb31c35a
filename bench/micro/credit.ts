// Credits packed into words by one stage and unpacked by another: with the named functions of fabric/credit.ts, and with the arithmetic written out.
import { creditFlits, creditLane, creditWord } from "../../src/fabric/credit.ts"
import { race } from "./race.ts"

const CREDITS = 65_536
const words = new Int32Array(CREDITS)
const room = new Int32Array(32)

await race("pack and unpack a credit (per credit)", CREDITS, {
  "named functions": () => {
    room.fill(0)
    for (let i = 0; i < CREDITS; i++) words[i] = creditWord(i & 31, 1 + (i & 15))
    for (let i = 0; i < CREDITS; i++) room[creditLane(words[i]!)]! += creditFlits(words[i]!)
    return room.reduce((a, b) => a + b, 0)
  },
  "written out": () => {
    room.fill(0)
    for (let i = 0; i < CREDITS; i++) words[i] = ((i & 31) << 16) | (1 + (i & 15))
    for (let i = 0; i < CREDITS; i++) room[words[i]! >>> 16]! += words[i]! & 0xffff
    return room.reduce((a, b) => a + b, 0)
  },
})
