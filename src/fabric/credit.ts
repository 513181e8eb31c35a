// The word that a credit is on its way: the lane it is for and how many flits of room it gives back. Named, because senders, receivers, audits and fingerprints
// must agree on it (race `credit` of bench/micro.mjs).
export function creditWord(lane: number, flits: number): number {
  return (lane << 16) | flits
}

export function creditLane(word: number): number {
  return word >> 16
}

export function creditFlits(word: number): number {
  return word & 0xffff
}
