// What can wait at an endpoint to be sent although it is made already: answers, acknowledgements, control packets. An overloaded server owes ever more of
// them; a run in which one endpoint owes too many ends for want of memory, at the same cycle for any number of workers.

/** records for all endpoints together, and the fewest and the most for one. The fewest: endpoints of a saturated dragonfly of 3,080 owe more than a thousand
 * acknowledgements each before their network takes them. */
const ALL = 2 ** 18
const FEWEST = 4096
const MOST = 65_536

/** Packets that may wait at one of `ends` endpoints: a number of the network, never of its partitions. */
export function waitingRoom(ends: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor(ALL / Math.max(1, ends))))
}
