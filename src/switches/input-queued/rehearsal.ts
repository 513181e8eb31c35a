// What is seldom at low load but sure to come is done before cycle 0 (core/beforehand.ts): else V8 compiles the whole visit of a router twice.
import { seenBeforehand } from "../../core/beforehand.ts"
import type { Visit } from "./common-visit.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { Crossing } from "./traverse.ts"
import type { VcStage } from "./vc-allocation.ts"

/** On the first VC of the first router: a head that finds no VC free is set aside and called again; a credit comes back to one that had none, and whose owner
 *  has flits; packets queue behind each other. Every word that this writes is put back. */
export function rehearse(spec: IqSpec, state: IqState, visit: Visit, vcs: VcStage, { arrive, credit }: Crossing): void {
  const { vaM, saM, soon, rqMask, rqPort, parkHead, parkNext, own, cnt, stall, cur, qh, qt, act } = state
  const { pNext, pWait } = spec.fields
  const { credits: cred } = spec.buffers
  const written = [vaM, saM, soon, rqMask, rqPort, parkHead, parkNext, own, cnt, stall, cur, qh, qt, cred]
  const before = written.map((column) => column[0]!)
  const awake = act.slice()
  const waited = pWait[0]!
  const next = pNext[0]!
  for (const column of written) column[0] = 0
  seenBeforehand(() => {
    vaM[0] = 1
    visit(0, 0, 0)
    vcs.unpark(0, 0)
    vaM[0] = 0
  })
  own[0] = 1
  cnt[0] = 1
  seenBeforehand(() => {
    cred[0] = 0
    stall[0] = 1
    credit(0, 0)
  })
  seenBeforehand(() => {
    cnt[0] = 1
    qh[0] = 0
    arrive(0, 0, 0)
    arrive(0, 0, 0)
  })
  act.set(awake)
  pWait[0] = waited
  pNext[0] = next
  for (const [i, column] of written.entries()) column[0] = before[i]!
}
