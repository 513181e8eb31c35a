// A window that ends by itself: when latency is known as well as was asked, when the network is overloaded and that is known as well, or at the limit.
import { isShort } from "../../core/saturation.ts"
import { type Decision, decide, throughput } from "../../engines/steady.ts"
import { CONTROL } from "../../fabric/flit.ts"
import { CLOSE, enough } from "../ends.ts"
import { copyCounts, flitsOut, type Outcome, since } from "./counts.ts"
import { acceptedIn, batch, type Course, finish } from "./course.ts"
import { arrive } from "./drain.ts"

export function openAutomatic(m: Course): void {
  const { s } = m
  m.counted = copyCounts(m.engine)
  s.arrived = 0
  m.batches = []
  for (let i = 0; i < s.from / m.plan.interval; i++) m.batches.push(batch(m, i))
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
  finish(m, { ...limited(m, d.says), ...half })
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
    counts: since(engine, m.counted),
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
 * and ends when its interval is as narrow as asked and tells it from what is offered.
 */
function overloaded(m: Course): void {
  const { engine, plan, offered, s, batches } = m
  const length = plan.interval
  const known = engine.now >= 2 * s.from ? throughput(batches, s.from / length) : undefined
  if (known?.drifts === true && 2 * engine.now < plan.limit) {
    s.from = engine.now
    m.counted = copyCounts(engine)
  } else if (known !== undefined && enough(known, plan.precision) && m.looks.suspects(engine.now) === undefined) {
    if (isShort({ offered, accepted: known.mean, half: known.half })) {
      engine.columns.control[CONTROL.to] = engine.now
      const counts = since(engine, m.counted)
      finish(m, { why: "saturated", explains: s.says, from: s.from, to: engine.now, counts, acceptedHalf: known.half / offered })
      return
    }
    if (known.half <= CLOSE * offered) {
      // what piled up did not go on doing so: the window is open since s.from, with its counters and batches
      s.early = false
      s.begin = s.from / length
      s.phase = "precise"
      preciseOn(m)
      return
    }
  }
  if (engine.now + length > plan.limit) finish(m, limited(m, s.says))
  else s.goal = engine.now + length
}

/** The limit ends the run: saturated, if clearly less was accepted than offered. */
function limited(m: Course, says: string): Outcome {
  const { engine, plan, offered } = m
  const { from } = m.s
  const counts = since(engine, m.counted)
  engine.columns.control[CONTROL.to] = engine.now
  const accepted = flitsOut(counts) / Math.max(1, engine.now - from)
  const interval = acceptedIn(m, m.batches, from / plan.interval)
  const half = interval.acceptedHalf === undefined ? undefined : interval.acceptedHalf * offered
  const short = isShort({ offered, accepted, half, packets: engine.stat("measured") })
  return {
    why: short ? "saturated" : "cycles",
    explains: short
      ? `accepts ${((100 * accepted) / offered).toFixed(1)} % of what is offered`
      : `reached the limit of ${plan.limit} cycles; ${says}`,
    from,
    to: engine.now,
    counts,
    ...interval,
    // an automatic window that was too short for its own interval has no number
    ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
  }
}
