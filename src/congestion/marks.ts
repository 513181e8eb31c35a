// Marks by the queue of an output: what several protocols ask of switches.
import { type Complaint, complain } from "../core/complaint.ts"
import { flits, fraction } from "../core/schema.ts"

export type Marks = { readonly kmin: number; readonly kmax: number; readonly pmax: number }

export const marksFields = {
  kmin: flits({
    about: "Kmin: flits for an output, in all queues and its buffer, from which on packets are marked",
    min: 1,
    max: 1e6,
    default: "64flits",
  }),
  kmax: flits({ about: "Kmax: from which on all are", min: 1, max: 1e6, default: "320flits" }),
  pmax: fraction({ about: "Pmax: part that is marked at Kmax", above: 0, default: 0.2 }),
}

export function checkMarks({ kmin, kmax }: Marks): Complaint[] {
  return kmin >= kmax
    ? [complain("kmin", `${kmin} flits are not below kmax (${kmax})`, `set it to at most ${kmax - 1}flits, or kmax to more`)]
    : []
}
