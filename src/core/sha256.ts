// SHA-256 (FIPS 180-4, 2015) in plain TypeScript: names of runs and checksums must be computed where there is no Node
// and no asynchronous answer will do.

const encoder = new TextEncoder()
/** first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first
 *  8 */
const primes: readonly number[] = firstPrimes(64)
const K = Int32Array.from(primes, (p) => fraction(p, 3n))
const START = Int32Array.from(primes.slice(0, 8), (p) => fraction(p, 2n))

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n)
  return found
}

/** floor(2^32 * frac(n^(1/root))): by bisection in whole numbers, so that no rounding enters */
function fraction(n: number, root: bigint): number {
  const goal = BigInt(n) << (32n * root)
  let low = 0n
  for (let bit = 40n; bit >= 0n; bit--) {
    const next = low | (1n << bit)
    if (next ** root <= goal) low = next
  }
  return Number(BigInt.asIntN(32, low))
}

/** of the block that is being taken in: one at a time */
const words = new Int32Array(64)
const digits = Array.from({ length: 256 }, (_, b) => b.toString(16).padStart(2, "0"))

/** A hash that is fed piece by piece. */
export class Sha256 {
  private readonly state: Int32Array
  private readonly block: Uint8Array
  private filled: number
  private bytes: number

  /** `from`: continue from the state of that hash. */
  constructor(from?: Sha256) {
    this.state = (from?.state ?? START).slice()
    this.block = from?.block.slice() ?? new Uint8Array(64)
    this.filled = from?.filled ?? 0
    this.bytes = from?.bytes ?? 0
  }

  update(data: Uint8Array | string): this {
    const from = typeof data === "string" ? encoder.encode(data) : data
    this.bytes += from.length
    let at = 0
    while (at < from.length) {
      const take = Math.min(64 - this.filled, from.length - at)
      this.block.set(from.subarray(at, at + take), this.filled)
      this.filled += take
      at += take
      if (this.filled === 64) this.compress()
    }
    return this
  }

  /** The digest as 64 hexadecimal digits; nothing can be added afterwards. */
  hex(): string {
    const { block } = this
    const bits = this.bytes * 8
    block[this.filled++] = 0x80
    if (this.filled > 56) {
      block.fill(0, this.filled)
      this.compress()
    }
    block.fill(0, this.filled)
    const view = new DataView(block.buffer)
    view.setUint32(56, Math.floor(bits / 2 ** 32))
    view.setUint32(60, bits >>> 0)
    this.compress()
    let text = ""
    for (const w of this.state)
      text += digits[w >>> 24] + digits[(w >>> 16) & 255] + digits[(w >>> 8) & 255] + digits[w & 255]
    return text
  }

  private compress(): void {
    const { block, state } = this
    const w = words
    for (let i = 0; i < 16; i++)
      w[i] = (block[4 * i] << 24) | (block[4 * i + 1] << 16) | (block[4 * i + 2] << 8) | block[4 * i + 3]
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]
      const b = w[i - 2]
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
      w[i] = w[i - 16] + s0 + w[i - 7] + s1
    }
    let a = state[0]
    let b = state[1]
    let c = state[2]
    let d = state[3]
    let e = state[4]
    let f = state[5]
    let g = state[6]
    let h = state[7]
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    state[0] += a
    state[1] += b
    state[2] += c
    state[3] += d
    state[4] += e
    state[5] += f
    state[6] += g
    state[7] += h
    this.filled = 0
  }
}

function turn(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n))
}

export function sha256(data: Uint8Array | string): string {
  return new Sha256().update(data).hex()
}
