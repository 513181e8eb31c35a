// A window that ends by itself: when latency is known as well as was asked, when the network is overloaded and that is known as well, or at the limit.
import { isShort } from "../../core/saturation.ts"
import { createdIn, type Decision, decide, isCreated, throughput } from "../../engines/steady.ts"
import { CONTROL } from "../../fabric/flit.ts"
import { CLOSE, enough, shareOf, UNSURE, watched } from "../ends.ts"
import type { Outcome } from "./counts.ts"
import { acceptedIn, batch, type Course, countedIn, finish, loadsOf, openWindow } from "./course.ts"
import { arrive } from "./drain.ts"

export function openAutomatic(m: Course): void {
  const { s } = m
  openWindow(m)
  s.begin = m.batches.length
  s.phase = "precise"
  preciseOn(m)
}

function preciseOn(m: Course): void {
  const { engine, plan, s, batches } = m
  if (engine.now + plan.interval <= plan.limit) {
    s.goal = engine.now + plan.interval
    return
  }
  engine.columns.control[CONTROL.to] = engine.now
  const d = decide(batches, s.begin, plan)
  const half = d.estimate === undefined ? {} : { half: d.estimate.half }
  finish(m, { ...limited(m, d.next === "saturated" ? UNSURE : d.says), ...half })
}

export function precise(m: Course): void {
  const { s, batches } = m
  batches.push(batch(m, batches.length))
  const d = decide(batches, s.begin, m.plan)
  if (d.next === "saturated" && s.early) {
    s.phase = "overloaded"
    s.says = d.says
    overloaded(m)
  } else if (d.next === "steady") steady(m, d)
  else preciseOn(m)
}

function steady(m: Course, d: Decision): void {
  const { engine, s, batches } = m
  engine.columns.control[CONTROL.to] = engine.now
  arrive(m, {
    why: "steady",
    explains: d.says,
    from: s.from,
    to: engine.now,
    ...countedIn(m),
    ...acceptedIn(m, batches, s.begin),
    ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
  })
}

export function overloadedOn(m: Course): void {
  m.batches.push(batch(m, m.batches.length))
  overloaded(m)
}

/**
 * More is offered than accepted: how much is? The window is at least as long as all that lies before it, begins anew while what is accepted still rises or falls,
 * and ends when its interval is as narrow as asked and tells it from what is created; where a deadlock may still form, not before the plan's cycle.
 */
function overloaded(m: Course): void {
  const { engine, plan, offered, s, batches } = m
  const length = plan.interval
  const known = engine.now >= 2 * s.from ? throughput(batches, s.from / length) : undefined
  if (known?.drifts === true && 2 * engine.now < plan.limit) {
    s.from = engine.now
    openWindow(m)
  } else if (known !== undefined && enough(known, plan.precision) && m.looks.suspects(engine.now) === undefined) {
    const short = isShort({ offered, created: createdIn(batches, s.from / length), accepted: known.mean, half: known.half })
    if (short && engine.now >= plan.watch) {
      engine.columns.control[CONTROL.to] = engine.now
      const acceptedHalf = known.half / offered
      finish(m, {
        why: "saturated",
        explains: watched(s.says, plan, engine.now),
        from: s.from,
        to: engine.now,
        ...countedIn(m),
        acceptedHalf,
      })
      return
    }
    if (!short && known.half <= CLOSE * offered) {
      // what piled up did not go on doing so: the window is open since s.from, with its counters and batches
      s.early = false
      measureOn(m)
      return
    }
  } else if (!isCreated(batches)) {
    // what was missing was not created
    measureOn(m)
    return
  }
  if (engine.now + length > plan.limit) finish(m, limited(m, UNSURE))
  else s.goal = engine.now + length
}

/** Latency is measured on, in the window that is open. */
function measureOn(m: Course): void {
  m.s.begin = m.s.from / m.plan.interval
  m.s.phase = "precise"
  preciseOn(m)
}

/** The limit ends the run: saturated, if clearly less was accepted than offered. */
function limited(m: Course, says: string): Outcome {
  const { engine, plan } = m
  const window = { from: m.s.from, to: engine.now, ...countedIn(m) }
  engine.columns.control[CONTROL.to] = engine.now
  const loads = loadsOf(m, window)
  const interval = acceptedIn(m, m.batches, window.from / plan.interval)
  const half = interval.acceptedHalf === undefined ? undefined : interval.acceptedHalf * m.offered
  const short = isShort({ ...loads, half })
  return {
    why: short ? "saturated" : "cycles",
    explains: short ? watched(shareOf(loads), plan, engine.now) : `reached the limit of ${plan.limit} cycles; ${says}`,
    ...window,
    ...interval,
    // an automatic window that was too short for its own interval has no number
    ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
  }
}
