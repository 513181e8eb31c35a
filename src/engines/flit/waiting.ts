// Limits of packets that are created but wait at an endpoint: replies, acknowledgements, control packets. An overloaded
// server accumulates them without bound. A run in which one endpoint exceeds its limit ends with an out-of-memory
// status, in the same cycle for any number of workers.

/**
 * records for all endpoints together, and the minimum and maximum for one. The minimum is large because in a saturated
 * dragonfly of 3,080 endpoints each has more than a thousand acknowledgements before its network accepts them.
 */
const ALL = 2 ** 18
const FEWEST = 4096
const MOST = 65_536

/**
 * Returns the number of packets that may wait at one of `ends` endpoints. It depends on the network, never on
 * partitions.
 */
export function waitingSlots(ends: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor(ALL / Math.max(1, ends))))
}
