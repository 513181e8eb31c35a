// Two clocks: with speed = link / core, link cycle t is at time t * link and core step s at s * core (fabric/transfer.ts).

export interface Clock {
  readonly link: number
  readonly core: number
}

/** speed = link / core as whole numbers; undefined if none below 100 will do */
export function clockOf(speed: number): Clock | undefined {
  for (let core = 1; core < 100; core++) {
    const link = Math.round(speed * core)
    if (Math.abs(link / core - speed) < 1e-9) return { link, core }
  }
  return undefined
}

/** Cycles from the arrival of a head until a transfer of f flits can begin that never waits for one of them: flit i is there i cycles after the head,
 *  and goes i core steps after it. */
export function untilNeverDry({ link, core }: Clock, f: number): number {
  return Math.ceil((f - 1) * (1 - core / link) - 1e-9)
}
