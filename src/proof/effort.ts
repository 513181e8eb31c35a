// How much of what a packet might do is tried: everything, or enough for a large network.
export interface Effort {
  /** sources: every endpoint, or the first of each router */
  readonly sources: "all" | "first"
  /** every VC that a packet may be injected on, or the first */
  readonly entryVcs: "all" | "first"
  /** what follows when a decision draws more combinations than `limit`; "spread": `samples` of them */
  readonly draws: "together" | "singly" | "spread"
  readonly limit: number
  /** queues per decision that are tried in all combinations */
  readonly exact: number
  /** combinations of draws that are tried with one queue against many others */
  readonly samples: number
  /** of one queue against many others, so many are tried in each decision */
  readonly flips: number
  /** take over decisions (decisions.ts) from packets that came by any other port, or on the same VC over a parallel link */
  readonly alike: "ports" | "trunk" | "none"
}

export const thorough: Effort = {
  sources: "all",
  entryVcs: "all",
  draws: "singly",
  limit: 5000,
  exact: 6,
  samples: 1_000_000,
  flips: 1_000_000,
  alike: "none",
}
/** A supplement to others: a few draws of each decision. */
export const light: Effort = {
  sources: "first",
  entryVcs: "first",
  draws: "spread",
  limit: 4,
  exact: 3,
  samples: 4,
  flips: 4,
  alike: "ports",
}
export const economical: Effort = {
  sources: "first",
  entryVcs: "first",
  draws: "together",
  limit: 5000,
  exact: 3,
  samples: 16,
  flips: 1_000_000,
  alike: "ports",
}
