// JIT warm-up of the input-queued router (core/jit-warmup.ts). It executes paths that are rare at low load, but certain
// to occur, before cycle 0. Otherwise V8 would optimise the router visit without them, and compile it again at the
// first occurrence.
import { warmUpJit } from "../../core/jit-warmup.ts"
import type { Visit } from "./fast-step.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"
import type { Crossing } from "./traverse.ts"
import type { VcStage } from "./vc-allocation.ts"

/**
 * Runs the rare paths on the first VC of the first router: a head that finds no free VC is parked and unparked, a
 * credit returns to a VC without credits whose owner has flits, and packets queue up. All words that this changes are
 * restored.
 */
export function warmUpRarePaths(
  spec: IqSpec,
  state: IqState,
  visit: Visit,
  vcs: VcStage,
  { arrive, credit }: Crossing,
): void {
  const { vaM, saM, soon, rqMask, rqPort, parkHead, parkNext, own, cnt, stall, cur, qh, qt, act } = state
  const { pNext, pWait } = spec.fields
  const { credits: cred } = spec.buffers
  const written = [vaM, saM, soon, rqMask, rqPort, parkHead, parkNext, own, cnt, stall, cur, qh, qt, cred]
  const before = written.map((column) => column[0])
  const awake = act.slice()
  const waited = pWait[0]
  const next = pNext[0]
  for (const column of written) column[0] = 0
  warmUpJit(() => {
    vaM[0] = 1
    visit(0, 0, 0)
    vcs.unpark(0, 0)
    vaM[0] = 0
  })
  own[0] = 1
  cnt[0] = 1
  warmUpJit(() => {
    cred[0] = 0
    stall[0] = 1
    credit(0, 0)
  })
  warmUpJit(() => {
    cnt[0] = 1
    qh[0] = 0
    arrive(0, 0, 0)
    arrive(0, 0, 0)
  })
  act.set(awake)
  pWait[0] = waited
  pNext[0] = next
  for (const [i, column] of written.entries()) column[0] = before[i]
}
