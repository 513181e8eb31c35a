// The two clocks of a switch. Its core (crossbar and allocators) may run faster than its links: speed = link / core, in
// small whole numbers. Link cycle t is at time t * link and core step s at time s * core (fabric/transfer.ts), so that
// both clocks are exact.

export interface Clock {
  readonly link: number
  readonly core: number
}

/** Returns the speed as the ratio link / core of whole numbers, or undefined if no `core` below 100 gives it. */
export function clockOf(speed: number): Clock | undefined {
  for (let core = 1; core < 100; core++) {
    const link = Math.round(speed * core)
    if (Math.abs(link / core - speed) < 1e-9) return { link, core }
  }
  return undefined
}

/**
 * Returns the cycles from the arrival of the head until a transfer of f flits can start that never runs out of flits.
 * Flit i arrives i cycles after the head, and the transfer needs it i core steps after its start.
 */
export function untilNeverDry({ link, core }: Clock, f: number): number {
  return Math.ceil((f - 1) * (1 - core / link) - 1e-9)
}
