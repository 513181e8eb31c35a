// Marking by output queues (random early detection, RED): the keys that several protocols share. The probability rises
// linearly from 0 at kmin to pmax at kmax; above kmax all packets are marked.
import { type Complaint, complain } from "../core/complaint.ts"
import { flits, fraction } from "../core/schema.ts"

export type Marks = { readonly kmin: number; readonly kmax: number; readonly pmax: number }

export const marksFields = {
  kmin: flits({
    about: "Kmin: number of flits queued for an output, output buffer included, from which packets are marked",
    min: 1,
    max: 1e6,
    default: "64flits",
  }),
  kmax: flits({
    about: "Kmax: number of flits queued for an output from which all packets are marked",
    min: 1,
    max: 1e6,
    default: "320flits",
  }),
  pmax: fraction({ about: "Pmax: fraction of packets that is marked at Kmax", above: 0, default: 0.2 }),
}

/** Returns a complaint if kmin is not below kmax. */
export function checkMarks({ kmin, kmax }: Marks): Complaint[] {
  return kmin >= kmax
    ? [
        complain(
          "kmin",
          `${kmin} flits are not below kmax (${kmax})`,
          `set it to at most ${kmax - 1}flits, or kmax to more`,
        ),
      ]
    : []
}
