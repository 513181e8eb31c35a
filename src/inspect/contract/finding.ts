// A contract is a sentence that holds for every plug-in of a family. What breaks it is a finding by that sentence; the tests of the library and
// `lacewing contract` ask the same functions.
import { told } from "../../experiment/outside/fault.ts"

export const contracts = {
  throws: "throws nothing",
  delivers: "delivers every packet",
  hops: "stays within the hops it declares",
  ports: "proposes wired ports only",
  vcs: "stays within its VCs",
  candidates: "proposes at least one way, and no more than it declares",
  alike: "answers alike for the same packet in the same network",
  idle: "reads no queues where it says adaptive: false",
  chance: "draws only through what it is handed",
  deadlock: "is free of deadlock with the VCs it declares",
  needs: "asks for what its proof rests on",
  bits: "gives the same bits for any partition",
  wired: "is wired both ways, with endpoints at home",
  size: "has the size it promises",
  distances: "knows its hops and labels",
  range: "answers endpoints, for each always or never",
  permutation: "is a permutation where it says so",
  draws: "takes few draws",
  forward: "answers whole cycles that never go back",
  state: "keeps nothing but its int",
  sizes: "has the mean, the largest and the fixed size it promises",
  report: "reports columns of equal length and numbers",
  shares: "gives equal demands equal shares, within 5 %",
  bounded: "lets no demand wait without bound",
  floor: "carries at least what its arbitration promises",
  credits: "attributes the wait for credits as its closed form says",
} as const

export type Contract = (typeof contracts)[keyof typeof contracts]

export interface Finding {
  readonly contract: Contract
  readonly says: string
}

/** Thrown where a look cannot go on. */
export class Broken extends Error {
  readonly contract: Contract
  constructor(contract: Contract, says: string) {
    super(says)
    this.contract = contract
  }
}

/** The findings of a look; one that is cut short by an exception is a finding, too. Code of ours that throws is a mistake of what it was given. */
export function looked(look: (found: (contract: Contract, says: string) => void) => void): Finding[] {
  const findings: Finding[] = []
  const found = (contract: Contract, says: string) => {
    // one of each is enough to repair it
    if (!findings.some((f) => f.contract === contract)) findings.push({ contract, says })
  }
  const random = Math.random
  Math.random = () => {
    found(contracts.chance, "Math.random was called")
    return random()
  }
  try {
    look(found)
  } catch (e) {
    if (e instanceof Broken) found(e.contract, e.message)
    else found(contracts.throws, told(e))
  } finally {
    Math.random = random
  }
  return findings
}
