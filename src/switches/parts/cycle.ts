// The cycle of switches with one crossbar per router. In each link cycle the links are served first; then come the core
// steps. A core step first ends the transfers that are due, then arbitrates the crossbars that need it.
//
// The loops over ready sets (ready-sets.ts) are written out here instead of being shared. A shared loop would call its
// stages through a pointer, which costs several per cent of the run time. For large networks there is a second version
// of each loop (`linkFar`, `coreFar`), which first collects its visits and prefetches their state.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { TransferSite, TransferSwitch } from "../../fabric/transfer.ts"
import { FAR_PORTS, gather } from "./ready-sets.ts"

/** The link stage, which is the same interface for all kinds of output buffers. */
export interface LinkStage {
  readonly columns: { readonly linkPending: Int32Array; readonly linkDue: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  link(o: number, s: number, t: number): void
  /** Prefetches the state of links that will be visited (ready-sets.ts: `gather`). */
  touch?(list: Int32Array, n: number): void
}

/** The crossbar stage of a core step. */
export interface CoreStage {
  readonly columns: { readonly ends: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  ended(o: number, s: number, t: number): void
  arbitrate(r: number, s: number, t: number): void
  /**
   * Prefetch the state of outputs whose transfers end, and of routers that will be arbitrated (ready-sets.ts:
   * `gather`).
   */
  touchEnds?(list: Int32Array, n: number): void
  touchRouters?(list: Int32Array, n: number): void
}

/**
 * Additional work of a core step, before and after the arbitration: routers [first, last) of the partition, or words
 * [from, to) of their ready bits. Dropping and contention detection use it.
 */
export interface StepWatch {
  before(s: number, t: number, first: number, last: number): void
  after(s: number, t: number, from: number, to: number): void
}

export function makeCycle(
  { layout, constants }: TransferSite,
  input: { readonly columns: { readonly needsArbitration: Int32Array } },
  output: LinkStage,
  crossbar: CoreStage,
  watch?: StepWatch,
): Pick<TransferSwitch, "enter" | "link" | "core"> {
  const low = lowest
  const { linkPending, linkDue } = output.columns
  const { needsArbitration } = input.columns
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
    portBase = firstRouter[part] * PS
    portFrom = portBase >> 5
    // The range ends with this partition, even if the largest partition has more words. The gap after its last router
    // is left out, because wheels have no words for it.
    portTo = Math.min(portFrom + WORDS, (firstRouter[part + 1] * PS + 31) >> 5)
    routerFrom = firstRouter[part] >> 5
    routerTo = (firstRouter[part + 1] + 31) >> 5
    firstOf = firstRouter[part]
    lastOf = firstRouter[part + 1]
  }

  function link(t: number): void {
    if (FAR) {
      linkFar(t)
      return
    }
    const due = linkDue
    const dirtied = linkPending
    const base = portBase
    const at = Math.imul(linkWheel + (t & LM), WORDS)
    for (let w = 0; w < WORDS; w++) {
      let m = due[at + w]
      if (m === 0) continue
      due[at + w] = 0
      for (; m !== 0; m &= m - 1) visitLink((base + (w << 5) + low(m)) | 0, 0, t)
    }
    const to = portTo
    for (let w = portFrom; w < to; w++) {
      let m = dirtied[w]
      if (m === 0) continue
      dirtied[w] = 0
      for (; m !== 0; m &= m - 1) visitLink(((w << 5) + low(m)) | 0, 0, t)
    }
  }

  /** `link` for large partitions: collects all visits, prefetches their state, then visits. */
  function linkFar(t: number): void {
    const at = Math.imul(linkWheel + (t & LM), WORDS)
    const due = gather(linkDue, at, at + WORDS, portBase, list, 0)
    const n = gather(linkPending, portFrom, portTo, portFrom << 5, list, due)
    touch!(list, n)
    for (let k = 0; k < n; k++) visitLink(list[k], 0, t)
  }

  /** `core` for large partitions. */
  function coreFar(s: number, t: number): void {
    const at = Math.imul(coreWheel + (s & CM), WORDS)
    const n = gather(ends, at, at + WORDS, portBase, list, 0)
    touchEnds!(list, n)
    for (let k = 0; k < n; k++) ended(list[k], s, t)
    if (WATCHED) watch!.before(s, t, firstOf, lastOf)
    const routers = gather(needsArbitration, routerFrom, routerTo, routerFrom << 5, list, 0)
    touchRouters!(list, routers)
    for (let k = 0; k < routers; k++) arbitrate(list[k], s, t)
    if (WATCHED) watch!.after(s, t, routerFrom, routerTo)
  }

  function core(s: number, t: number): void {
    if (FAR) {
      coreFar(s, t)
      return
    }
    const due = ends
    const must = needsArbitration
    const base = portBase
    const at = Math.imul(coreWheel + (s & CM), WORDS)
    for (let w = 0; w < WORDS; w++) {
      let m = due[at + w]
      if (m === 0) continue
      due[at + w] = 0
      for (; m !== 0; m &= m - 1) ended((base + (w << 5) + low(m)) | 0, s, t)
    }
    if (WATCHED) watch!.before(s, t, firstOf, lastOf)
    const to = routerTo
    for (let w = routerFrom; w < to; w++) {
      let m = must[w]
      if (m === 0) continue
      must[w] = 0
      for (; m !== 0; m &= m - 1) arbitrate(((w << 5) + low(m)) | 0, s, t)
    }
    if (WATCHED) watch!.after(s, t, routerFrom, routerTo)
  }

  return { enter, link, core }
}
