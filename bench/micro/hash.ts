// The fingerprint of a column of 65,536 ints.
import { Hash, HashSum } from "../../src/core/hash.ts"
import { draw } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const column = Int32Array.from({ length: 65_536 }, (_, i) => draw(1, i))
const bytes = new Uint8Array(column.buffer)

await race(
  "hash a column (per int)",
  column.length,
  {
    "two lanes of 32 bits": () => new Hash().array(column).lanes()[0],
    "sum of elements, any order": () => new HashSum().array(column, 1).a,
    "FNV-1a of the bytes, 32 bits": () => {
      let h = 0x811c9dc5
      for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193)
      return h
    },
    "64 bits as BigInt": () => {
      let h = 0xcbf29ce484222325n
      for (let i = 0; i < column.length; i++) h = BigInt.asUintN(64, (h ^ BigInt(column[i] >>> 0)) * 0x100000001b3n)
      return Number(h & 0xffffffffn)
    },
  },
  false,
)
