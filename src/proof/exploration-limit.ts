// The effort of a walk: how many of the possible sources, draws and queue states are tried. A thorough walk tries
// everything; the others are for large networks. prove.ts chooses among them.
export interface ExplorationLimit {
  /** sources: every endpoint, or the first of each router */
  readonly sources: "all" | "first"
  /** every VC that a packet may be injected on, or the first */
  readonly entryVcs: "all" | "first"
  /** what to do when a decision draws more combinations than `limit` (oracle.ts); "spread": try `samples` of them */
  readonly draws: "together" | "singly" | "spread"
  readonly limit: number
  /** maximum number of queues in a decision for which all combinations of empty and full are tried */
  readonly exact: number
  /** combinations of draws that are tried with one queue against many others */
  readonly samples: number
  /** with more queues, one queue is tried against all others; at most this many of them in each decision */
  readonly flips: number
  /** reuse decisions (decisions.ts) of packets that came by any other port, or on the same VC over a parallel link */
  readonly alike: "ports" | "trunk" | "none"
}

export const thorough: ExplorationLimit = {
  sources: "all",
  entryVcs: "all",
  draws: "singly",
  limit: 5000,
  exact: 6,
  samples: 1_000_000,
  flips: 1_000_000,
  alike: "none",
}
/** A supplement to other walks: a few draws of each decision. */
export const light: ExplorationLimit = {
  sources: "first",
  entryVcs: "first",
  draws: "spread",
  limit: 4,
  exact: 3,
  samples: 4,
  flips: 4,
  alike: "ports",
}
export const economical: ExplorationLimit = {
  sources: "first",
  entryVcs: "first",
  draws: "together",
  limit: 5000,
  exact: 3,
  samples: 16,
  flips: 1_000_000,
  alike: "ports",
}
