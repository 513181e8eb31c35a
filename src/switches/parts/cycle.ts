// A cycle of switches with one crossbar each: the links go first, then the core steps: transfers that end, then the crossbars that must look.
import type { TransferSite, TransferSwitch } from "../../fabric/transfer.ts"
import { sweep, sweepSlot } from "./sweep.ts"

/** What links do, whatever the buffers in front of them are like. */
export interface LinkStage {
  readonly columns: { readonly linkDirty: Int32Array; readonly linkDue: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  link(o: number, s: number, t: number): void
}

/** What a crossbar does in a core step, and the routers that must look. */
export interface CoreStage {
  readonly columns: { readonly ends: Int32Array }
  readonly wheelMask: number
  enter(part: number): void
  ended(o: number, s: number, t: number): void
  arbitrate(r: number, s: number, t: number): void
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
  const { linkDirty, linkDue } = output.columns
  const { dirty } = input.columns
  const { ends } = crossbar.columns
  const { portWords: WORDS } = constants
  const { wheelMask: LM } = output
  const { wheelMask: CM } = crossbar
  const { firstRouter, PS } = layout
  const visitLink = output.link
  const { ended, arbitrate } = crossbar
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
    // without the holes behind the last router of a partition, as wheels have no words for them
    portTo = portFrom + WORDS
    routerFrom = firstRouter[part]! >> 5
    routerTo = (firstRouter[part + 1]! + 31) >> 5
    firstOf = firstRouter[part]!
    lastOf = firstRouter[part + 1]!
  }

  function link(t: number): void {
    sweepSlot(linkDue, (linkWheel + (t & LM)) * WORDS, WORDS, portBase, visitLink, 0, t)
    sweep(linkDirty, portFrom, portTo, visitLink, 0, t)
  }

  function core(s: number, t: number): void {
    sweepSlot(ends, (coreWheel + (s & CM)) * WORDS, WORDS, portBase, ended, s, t)
    if (WATCHED) watch!.before(s, t, firstOf, lastOf)
    sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    if (WATCHED) watch!.after(s, t, routerFrom, routerTo)
  }

  return { enter, link, core }
}
