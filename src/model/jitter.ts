// The noise that CODES adds to every step: a local latency (0.505 to 1.005 ns) and a link noise (0.005 to 1.005 ns),
// here two parts of one random word. They are functions of the chunk and the routers it has visited, so that all event
// models of the packet engine draw the same.

/** Returns 505 to 1005 ps from the low half of the bits, mean 755. */
export function localLatency(bits: number): number {
  return 505 + (Math.imul(bits & 0xffff, 501) >>> 16)
}

/** Returns 5 to 1005 ps from the high half, mean 505. */
export function linkNoise(bits: number): number {
  return 5 + (Math.imul(bits >>> 16, 1001) >>> 16)
}

/** Returns other bits from the same draw. */
export function mixed(bits: number): number {
  return Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
}

/** Salts of the draws: one random stream for each purpose. */
export const PORT = 0x51f15e01
export const EJECT = 0x51f15e03
export const NIC = 0x51f15e04
export const HANDOVER = 0x51f15e05
export const ENTRY = 0x51f15e06
