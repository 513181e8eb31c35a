// Who sends how much to whom, message by message as the program writes them (what collectives send is not counted: that depends on their algorithms).
import { amount, COMM, forEachOp, KIND, Kind, kindOf, PEER, type Program, type RankSource } from "../program.ts"
import { Following, makesCommunicator, type Resolved } from "./communicators.ts"

/** One destination of a rank. */
export interface Flow {
  readonly to: number
  messages: number
  bytes: number
}

const nobody: readonly Flow[] = []

/** Of each rank, by destination; `unknown` counts messages on communicators whose members are not known. */
export function trafficOf(
  program: Program,
  resolved: Resolved,
): { readonly flows: readonly (readonly Flow[])[]; readonly unknown: number } {
  let unknown = 0
  const flows: (readonly Flow[])[] = new Array(program.ranks).fill(nobody)
  for (let rank = 0; rank < program.ranks; rank++) {
    const source = program.rank(rank)
    if (source.at(0) !== undefined) flows[rank] = flowsOf(source, rank)
  }
  return { flows, unknown }

  function flowsOf(source: RankSource, rank: number): Flow[] {
    const to = new Map<number, Flow>()
    const comms = new Following(resolved, rank)
    const turns: number[] = [1]
    forEachOp(source, ({ ops }, row) => {
      const kind = kindOf(ops[row + KIND]!)
      if (kind < Kind.SEND || kind === Kind.RECV) return
      if (kind === Kind.LOOP) turns.push(turns.at(-1)! * amount(ops, row))
      else if (kind === Kind.END) turns.pop()
      else if (makesCommunicator(kind)) comms.make(ops[row + PEER]!)
      else if (kind === Kind.SEND) {
        const times = turns.at(-1)!
        const dest = comms.get(ops[row + COMM]!)?.members[ops[row + PEER]!]
        if (dest === undefined) {
          unknown += times
          return
        }
        let flow = to.get(dest)
        if (flow === undefined) to.set(dest, (flow = { to: dest, messages: 0, bytes: 0 }))
        flow.messages += times
        flow.bytes += times * amount(ops, row)
      }
    })
    return [...to.values()].sort((a, b) => a.to - b.to)
  }
}
