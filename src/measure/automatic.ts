// Phases of an automatic measurement window: a window without a given length. They continue at the end of each batch of
// `plan.interval` cycles. `precise` ends the window when the confidence interval of mean latency is as narrow as the
// plan requires (steady). `overloaded` ends it when the network clearly accepts less than is offered (saturated).
// `limited` ends it at the cycle limit.
//
// `precise` switches to `overloaded` when the backlog grows. `overloaded` may switch back to `precise` once, if the
// shortfall turns out to be transient. Statistics of batches are in engines/steady.ts.
import { isShort } from "../core/saturation.ts"
import { createdIn, type Decision, decide, isCreated, type Throughput, throughput } from "../engines/steady.ts"
import { addBatch, deliveredIn, isLast, nextBatch } from "./batches.ts"
import { type Course, closed, finish, loadsOf, type Outcome } from "./course.ts"
import { arrive } from "./drain.ts"
import { CLOSE, enough, shareOf, UNSURE, watched } from "./termination.ts"

/** Begins with the batch that starts now. */
export function openAutomatic(c: Course): void {
  c.s.begin = c.batches.length
  preciseOn(c)
}

/** Sets the end of the next batch as the goal, or ends the run if that batch would exceed the limit. */
function preciseOn(c: Course): void {
  const { plan, s, batches } = c
  s.phase = "precise"
  if (!isLast(c)) {
    nextBatch(c)
    return
  }
  // A growing backlog that was not confirmed as saturation must not be reported as such (UNSURE).
  const d = decide(batches, s.begin, plan)
  const half = d.estimate === undefined ? {} : { half: d.estimate.half }
  finish(c, { ...limited(c, d.next === "saturated" ? UNSURE : d.says), ...half })
}

/** Decides after each batch whether latency is steady, the network is saturated, or more batches are needed. */
export function precise(c: Course): void {
  const { s, batches } = c
  addBatch(c)
  const d = decide(batches, s.begin, c.plan)
  if (d.next === "saturated" && s.early) {
    s.phase = "overloaded"
    s.says = d.says
    overloaded(c)
  } else if (d.next === "steady") steady(c, d)
  else preciseOn(c)
}

/** Closes the window because mean latency is known precisely enough, and lets its packets arrive. */
function steady(c: Course, d: Decision): void {
  c.port.window({ to: c.port.now })
  arrive(c, {
    why: "steady",
    explains: d.says,
    ...closed(c),
    ...deliveredIn(c, c.s.begin),
    ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
  })
}

/** Continues the phase "overloaded" with one more batch. */
export function overloadedOn(c: Course): void {
  addBatch(c)
  overloaded(c)
}

/**
 * Measures the accepted load of a network that seems to be saturated. The window is at least as long as the time before
 * it, so that the transient has little weight. It restarts while the accepted load still drifts. It ends when the
 * confidence interval of the accepted load is narrow enough and lies clearly below the created load. If a deadlock may
 * still form, it does not end before cycle `plan.watch`.
 */
function overloaded(c: Course): void {
  const { port, plan, s, batches } = c
  // s.from is a multiple of the batch length, so this is the index of the first batch of the window.
  const first = s.from / plan.interval
  const known = port.now >= 2 * s.from ? throughput(batches, first) : undefined
  if (known?.drifts === true && 2 * port.now < plan.limit) {
    // A drift means that the network has not reached its saturated steady state. A restart needs time for a window of
    // equal length, so there is none in the second half of the limit.
    s.from = port.now
    port.open()
  } else if (known !== undefined && enough(known, plan.precision) && port.watchdog.suspects(port.now) === undefined) {
    const short = isShort({
      offered: port.offered,
      created: createdIn(batches, first),
      accepted: known.mean,
      half: known.half,
    })
    // The accepted load is significantly below the created load: this is saturation.
    if (short && port.now >= plan.watch) {
      saturated(c, known)
      return
    }
    if (!short && known.half <= CLOSE * port.offered) {
      // The backlog did not continue to grow. The window stays open since s.from, with its counters and batches.
      // `early` is cleared so that this phase is not entered again: the two phases would alternate until the limit.
      s.early = false
      measureOn(c)
      return
    }
    // The sources created less than they should: there is no backlog, so this is not saturation.
  } else if (!isCreated(batches)) {
    // what was missing was not created
    measureOn(c)
    return
  }
  if (isLast(c)) finish(c, limited(c, UNSURE))
  else nextBatch(c)
}

/** Ends the run as saturated. Packets that are created from now on are not measured. */
function saturated(c: Course, known: Throughput): void {
  const { port, plan, s } = c
  port.window({ to: port.now })
  finish(c, {
    why: "saturated",
    explains: watched(s.says, plan, port.now),
    ...closed(c),
    acceptedHalf: known.half / port.offered,
    ...deliveredIn(c, s.from / plan.interval),
  })
}

/** Continues to measure latency in the window that is open. */
function measureOn(c: Course): void {
  c.s.begin = c.s.from / c.plan.interval
  preciseOn(c)
}

/** Returns the outcome of a run that reached the cycle limit: saturated, if clearly less was accepted than offered. */
function limited(c: Course, says: string): Outcome {
  const { port, plan, batches } = c
  // Packets that are created from now on are not measured.
  port.window({ to: port.now })
  const window = closed(c)
  const loads = loadsOf(c, window)
  const first = window.from / plan.interval
  const half = throughput(batches, first)?.half
  const short = isShort({ ...loads, half })
  return {
    why: short ? "saturated" : "limit",
    explains: short ? watched(shareOf(loads), plan, port.now) : `reached the limit of ${plan.limit} cycles; ${says}`,
    ...window,
    ...deliveredIn(c, first),
    // An infinite half width means "not known": the window was too short for a confidence interval. Reports then print
    // no number for the accepted load.
    ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
  }
}
