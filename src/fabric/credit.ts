// The word that represents a credit in flight: its VL (or VC) and the number of flits. Senders, receivers, audits and
// fingerprints must agree on it, so it is defined once (benchmark `credit` of bench/micro.mjs).
export function creditWord(lane: number, flits: number): number {
  return (lane << 16) | flits
}

export function creditLane(word: number): number {
  return word >> 16
}

export function creditFlits(word: number): number {
  return word & 0xffff
}
