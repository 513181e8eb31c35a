// The contracts: sentences that hold for every plug-in of a kind. A violation is a finding. The tests of the library
// and `lacewing contract` call the same functions.
import { told } from "../../experiment/outside/fault.ts"

export const contracts = {
  throws: "throws nothing",
  delivers: "delivers every packet",
  hops: "stays within the hops it declares",
  ports: "proposes only connected ports",
  vcs: "stays within its VCs",
  candidates: "proposes at least one path, and no more than it declares",
  alike: "decides alike for the same packet in the same network",
  idle: "reads no queues where it says adaptive: false",
  chance: "draws random numbers only from the given generator",
  deadlock: "is deadlock-free with the VCs it declares",
  needs: "declares the switch settings that its proof needs",
  bits: "gives the same bits for any partition",
  wired: "has links in both directions and consistent endpoints",
  size: "has the size it promises",
  distances: "knows its hops and labels",
  range: "returns endpoints, for each source always or never",
  permutation: "is a permutation where it says so",
  draws: "uses few random draws",
  forward: "returns times that never decrease",
  rate: "creates packets at the mean rate that it is given",
  state: "stores no state except its integer",
  sizes: "has the mean, the largest and the fixed size it promises",
  report: "reports columns of equal length, numbers, and the columns of its figures",
  shares: "gives equal demands equal shares, within 5 %",
  bounded: "lets no request wait without bound",
  floor: "has at least the throughput of its arbitration",
  credits: "attributes credit stalls as its analytic formula says",
  grants: "grants only requests, and each input and output once",
  single: "grants a request that has no competitor",
  routers: "arbitrates every router by itself",
  reads: "reads only what it declares",
  keeps: "loses nothing, never stops, and passes the audit",
  columns: "keeps its state in columns: a copy continues alike",
  threads: "gives the same bits on two threads",
  calm: "leaves uncongested traffic alone",
  sink: "keeps a congested endpoint busy",
  fair: "gives equal senders equal shares",
  starved: "lets no sender starve",
  sendable: "picks only queues that can send, and repeats a pick alike",
  serves: "serves every queue that it says it serves",
  promised: "gives the shares that it declares, within 5 %",
  starves: "lets no queue wait without bound",
  rows: "keeps outputs apart",
  matched: "has a receive for every send, and ends",
  open: "keeps few operations of a rank open",
  damaged: "rejects damaged files with an error",
} as const

export type Contract = (typeof contracts)[keyof typeof contracts]

export interface Finding {
  readonly contract: Contract
  readonly says: string
}

/** Thrown if a test cannot continue. */
export class Broken extends Error {
  readonly contract: Contract
  constructor(contract: Contract, says: string) {
    super(says)
    this.contract = contract
  }
}

/**
 * Returns the findings of a test. An exception is a finding too: an error in lacewing's code means that the plug-in
 * gave it invalid data. Math.random is replaced during the test to detect its use.
 */
export function looked(look: (found: (contract: Contract, says: string) => void) => void): Finding[] {
  const findings: Finding[] = []
  const found = (contract: Contract, says: string) => {
    // One finding per contract is enough to repair it.
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
