// Counts the distinct members of many sets, such as the sources that ever sent to each endpoint.
//
// A bit for every possible member is exact, but its memory is sets times members: 512 MiB for 65,536 endpoints. Up to
// `EXACT` possible members there is such a bit. Above, each set has 64 registers of HyperLogLog and takes 64 bytes for
// any number of members: "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm", P. Flajolet,
// E. Fusy, O. Gandouet and F. Meunier, 2007.
//
// Limits: the estimate of one set has a standard error of 13 %. Each set hashes a member differently, so the errors of
// n sets are independent and a sum over them has a standard error of 13 % / sqrt(n).
import { population } from "./bitset.ts"
import { hash3 } from "./hash.ts"
import { logarithm } from "./logarithm.ts"

/** Possible members up to which every member has a bit. */
export const EXACT = 4096
const REGISTERS = 64
/** The constant of HyperLogLog for 64 registers. */
const ALPHA = 0.709
/** Bits of a hash that choose a register; the rest gives its rank. */
const CHOICE = 6

export interface Distinct {
  readonly column: Int32Array
  /** Adds a member to the set in row `row`. `key` names the set whatever the row is. */
  add(row: number, key: number, member: number): void
  /** Returns the number of distinct members of a row: exact up to EXACT possible members, else an estimate. */
  count(row: number): number
}

/** `members`: the number of possible members; `column` allocates an integer column. */
export function makeDistinct(rows: number, members: number, column: (length: number) => Int32Array): Distinct {
  return members <= EXACT ? exact(rows, members, column) : estimated(rows, column)
}

function exact(rows: number, members: number, make: (length: number) => Int32Array): Distinct {
  const WORDS = (members + 31) >> 5
  const column = make(rows * WORDS)
  return {
    column,
    add(row, _key, member) {
      column[row * WORDS + (member >> 5)] |= 1 << member
    },
    count(row) {
      let n = 0
      for (let w = row * WORDS; w < (row + 1) * WORDS; w++) n += population(column[w])
      return n
    },
  }
}

/** Four registers of eight bits lie in a word. */
function estimated(rows: number, make: (length: number) => Int32Array): Distinct {
  const WORDS = REGISTERS / 4
  const column = make(rows * WORDS)
  return {
    column,
    add(row, key, member) {
      const hash = hash3(key, member, REGISTERS)
      const register = hash & (REGISTERS - 1)
      const rank = Math.clz32(hash >>> CHOICE) - CHOICE + 1
      const word = row * WORDS + (register >> 2)
      const shift = (register & 3) << 3
      if (((column[word] >>> shift) & 0xff) < rank) column[word] = (column[word] & ~(0xff << shift)) | (rank << shift)
    },
    count(row) {
      let sum = 0
      let empty = 0
      for (let word = row * WORDS; word < (row + 1) * WORDS; word++)
        for (let shift = 0; shift < 32; shift += 8) {
          const rank = (column[word] >>> shift) & 0xff
          sum += 2 ** -rank
          if (rank === 0) empty++
        }
      const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
      // few members: by the registers that none of them has chosen
      return empty > 0 && estimate <= 2.5 * REGISTERS ? REGISTERS * logarithm(REGISTERS / empty) : estimate
    },
  }
}
