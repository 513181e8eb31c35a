// The cause of a saturation or a deadlock, and its cure: B runs with the change from cycle 0 to the shown cycle, and
// the page compares the accepted loads of both sides in the same cycles.
import type { Diagnosed, LimitAnswer } from "../../shared/messages.ts"
import type { Cure } from "../../shared/planner.ts"
import { isStill } from "../film/clock.ts"
import { SPAN } from "../film/reel.ts"
import * as s from "../state.ts"
import { atPlanner, now, sideOf, trying } from "./common.ts"
import { openSide } from "./engines.ts"
import { play } from "./time.ts"

/** Finds the cause on a side at the shown cycle, and a change that may remove it. */
export async function findCause(name: string, isDeadlock = false): Promise<void> {
  const side = sideOf(name)
  const cycle = now()
  if (side === undefined || (s.cause.value?.side === name && s.cause.value.cycle === cycle)) return
  await trying("looking for the cause …", async () => {
    const is = await side.engine.ask<LimitAnswer>({ do: "limit" })
    const cause = isDeadlock ? "deadlock" : is.limit?.cause
    const cure = cause === undefined ? undefined : await cureFor(side, cause, is)
    if (now() === cycle && !s.running.value) s.cause.value = { side: name, cycle, is, isDeadlock, cure }
  })
}

function cureFor(side: s.Side, cause: string, { limit, offered = 0, accepted = 0 }: LimitAnswer) {
  return atPlanner().ask<Cure | undefined>({
    ...{ do: "cure", text: s.text.value, name: s.fileName.value, files: s.files.value },
    ...{ run: side.run, set: side.set, cause, channel: limit?.channel ?? -1, offered, accepted },
  })
}

/** Simulates the change on side B up to the shown cycle, says what it gains, and plays on. */
export async function tryCure(): Promise<void> {
  const { value: cause } = s.cause
  const asked = cause === undefined ? undefined : sideOf(cause.side)
  if (cause?.cure === undefined || asked === undefined) return
  const { cycle, cure, is, isDeadlock } = cause
  const done = await trying("simulating the cure …", async () => {
    const side = await openSide("B", asked.run, [...asked.set, ...cure.set], 0)
    await side.engine.ask({ do: "seek", cycle: Math.max(0, cycle - SPAN) })
    await side.engine.ask({ do: "seek", cycle })
    const after = await side.engine.ask<LimitAnswer>({ do: "limit" })
    const { kind } = await side.engine.ask<Diagnosed>({ do: "diagnose" })
    for (const old of s.sides.value) if (old.name === "B") old.engine.close()
    s.sides.value = [...s.sides.value.filter((x) => x.name === "A"), side]
    s.story.value = undefined
    s.first.value = undefined
    s.answer.value = undefined
    s.narrow.value = "B"
    s.gain.value = isDeadlock ? endOf(cure, kind === "deadlock", cycle) : gainOf(cure, is, after)
    s.said.value = s.gain.value
    return true
  })
  if (done === true && !isStill()) await play()
}

const fixed = (load = Number.NaN): string => load.toFixed(3)

/** Returns a sentence on the accepted loads before and after, in flits per endpoint and cycle. */
export function gainOf({ says }: Cure, before: LimitAnswer, after: LimitAnswer): string {
  const { accepted = 0, offered } = after
  const carries = after.limit === undefined && after.unknown === undefined
  const accepts = `With ${says}, B ${carries ? "carries its load" : "is still saturated"}: it accepts ${fixed(accepted)} of ${fixed(offered)}`
  if (before.offered !== offered)
    return `${accepts}. Without it, ${fixed(before.accepted)} of ${fixed(before.offered)}.`
  const ratio = accepted / (before.accepted ?? 0)
  const gain = ratio > 1.02 ? `${ratio.toFixed(1)} times as much` : "so it does not help"
  return `${accepts} instead of ${fixed(before.accepted)}, ${gain}.`
}

function endOf({ says }: Cure, isStuck: boolean, cycle: number): string {
  const at = cycle.toLocaleString("en")
  return isStuck
    ? `With ${says}, B is deadlocked at cycle ${at}, too.`
    : `With ${says}, B has no deadlock at cycle ${at}.`
}
