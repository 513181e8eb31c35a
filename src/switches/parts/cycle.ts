// A cycle of switches with one crossbar each: the links go first, then the core steps: transfers that end, then the crossbars that must look.
// The sweeps of sweep.ts are written out here: one that two stages share calls them by pointer, which costs some per cent of all time.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { TransferSite, TransferSwitch } from "../../fabric/transfer.ts"
import { FAR_PORTS, gather } from "./sweep.ts"

/** What links do, whatever the buffers in front of them are like. */
export interface LinkStage {
  readonly columns: { readonly linkDirty: Int32Array; readonly linkDue: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  link(o: number, s: number, t: number): void
  /** links that will be visited (sweep.ts: `gather`) */
  touch?(list: Int32Array, n: number): void
}

/** What a crossbar does in a core step, and the routers that must look. */
export interface CoreStage {
  readonly columns: { readonly ends: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  ended(o: number, s: number, t: number): void
  arbitrate(r: number, s: number, t: number): void
  /** outputs whose transfers will end, and routers whose crossbars will look (sweep.ts: `gather`) */
  touchEnds?(list: Int32Array, n: number): void
  touchRouters?(list: Int32Array, n: number): void
}

/** What else a core step has: before its crossbars look, and after they have; routers [first, last) of the partition, words [from, to) of their bits. */
export interface StepWatch {
  before(s: number, t: number, first: number, last: number): void
  after(s: number, t: number, from: number, to: number): void
}

export function makeCycle(
  { layout, constants }: TransferSite,
  input: { readonly columns: { readonly dirty: Int32Array } },
  output: LinkStage,
  crossbar: CoreStage,
  watch?: StepWatch,
): Pick<TransferSwitch, "enter" | "link" | "core"> {
  const low = lowest
  const { linkDirty, linkDue } = output.columns
  const { dirty } = input.columns
  const { ends } = crossbar.columns
  const { portWords: WORDS } = constants
  const { wheelMask: LM } = output
  const { wheelMask: CM } = crossbar
  const { firstRouter, PS } = layout
  const visitLink = output.link
  const { ended, arbitrate } = crossbar
  const { touch } = output
  const { touchEnds, touchRouters } = crossbar
  const FAR = touch !== undefined && 32 * WORDS >= FAR_PORTS
  const list = scratch(FAR ? 64 * WORDS : 0)
  const WATCHED = watch !== undefined
  let firstOf = 0
  let lastOf = 0
  let linkWheel = 0
  let coreWheel = 0
  let portBase = 0
  let portFrom = 0
  let portTo = 0
  let routerFrom = 0
  let routerTo = 0

  function enter(part: number): void {
    output.enter(part)
    crossbar.enter(part)
    linkWheel = part * (LM + 1)
    coreWheel = part * (CM + 1)
    portBase = firstRouter[part]! * PS
    portFrom = portBase >> 5
    // not beyond this partition, however many words the largest one has; without the holes behind its last router, as wheels have no words for them
    portTo = Math.min(portFrom + WORDS, (firstRouter[part + 1]! * PS + 31) >> 5)
    routerFrom = firstRouter[part]! >> 5
    routerTo = (firstRouter[part + 1]! + 31) >> 5
    firstOf = firstRouter[part]!
    lastOf = firstRouter[part + 1]!
  }

  function link(t: number): void {
    if (FAR) {
      linkFar(t)
      return
    }
    const due = linkDue
    const dirtied = linkDirty
    const base = portBase
    const at = Math.imul(linkWheel + (t & LM), WORDS)
    for (let w = 0; w < WORDS; w++) {
      let m = due[at + w]!
      if (m === 0) continue
      due[at + w] = 0
      for (; m !== 0; m &= m - 1) visitLink((base + (w << 5) + low(m)) | 0, 0, t)
    }
    const to = portTo
    for (let w = portFrom; w < to; w++) {
      let m = dirtied[w]!
      if (m === 0) continue
      dirtied[w] = 0
      for (; m !== 0; m &= m - 1) visitLink(((w << 5) + low(m)) | 0, 0, t)
    }
  }

  function linkFar(t: number): void {
    const at = Math.imul(linkWheel + (t & LM), WORDS)
    const due = gather(linkDue, at, at + WORDS, portBase, list, 0)
    const n = gather(linkDirty, portFrom, portTo, portFrom << 5, list, due)
    touch!(list, n)
    for (let k = 0; k < n; k++) visitLink(list[k]!, 0, t)
  }

  function coreFar(s: number, t: number): void {
    const at = Math.imul(coreWheel + (s & CM), WORDS)
    const n = gather(ends, at, at + WORDS, portBase, list, 0)
    touchEnds!(list, n)
    for (let k = 0; k < n; k++) ended(list[k]!, s, t)
    if (WATCHED) watch!.before(s, t, firstOf, lastOf)
    const routers = gather(dirty, routerFrom, routerTo, routerFrom << 5, list, 0)
    touchRouters!(list, routers)
    for (let k = 0; k < routers; k++) arbitrate(list[k]!, s, t)
    if (WATCHED) watch!.after(s, t, routerFrom, routerTo)
  }

  function core(s: number, t: number): void {
    if (FAR) {
      coreFar(s, t)
      return
    }
    const due = ends
    const must = dirty
    const base = portBase
    const at = Math.imul(coreWheel + (s & CM), WORDS)
    for (let w = 0; w < WORDS; w++) {
      let m = due[at + w]!
      if (m === 0) continue
      due[at + w] = 0
      for (; m !== 0; m &= m - 1) ended((base + (w << 5) + low(m)) | 0, s, t)
    }
    if (WATCHED) watch!.before(s, t, firstOf, lastOf)
    const to = routerTo
    for (let w = routerFrom; w < to; w++) {
      let m = must[w]!
      if (m === 0) continue
      must[w] = 0
      for (; m !== 0; m &= m - 1) arbitrate(((w << 5) + low(m)) | 0, s, t)
    }
    if (WATCHED) watch!.after(s, t, routerFrom, routerTo)
  }

  return { enter, link, core }
}
