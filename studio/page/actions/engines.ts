// The engines of the sides A and B: opening them, handling their messages, and recording their results.
import { stopText } from "../../../src/core/wording.ts"
import type { RunResult } from "../../../src/model/experiment.ts"
import type { Opened, Told } from "../../shared/messages.ts"
import type { Finished, Planned, PlannedHere } from "../../shared/planner.ts"
import { Engine, Refusal } from "../client.ts"
import { redraw, showAt } from "../film/clock.ts"
import { Reel } from "../film/reel.ts"
import * as s from "../state.ts"
import { runsCode } from "./code.ts"
import { atPlanner, trying } from "./common.ts"

/** A worker that has already loaded its code, so that the first experiment opens faster. */
let spare: Engine | undefined

export function prepare(): void {
  spare ??= new Engine("engine A")
}

function fresh(name: string): Engine {
  const engine = spare
  spare = undefined
  return engine === undefined || engine.dead ? new Engine(name) : engine
}

/** Returns the message handler of a side: frames go to its film, the end of a run adds its result. */
function told(name: "A" | "B", reel: Reel): (message: Told) => void {
  return (message) => {
    if (message.kind === "frame") {
      const { frame, take } = message
      if (take > 0) {
        if (take === reel.take) reel.add(frame)
        return
      }
      // A single picture: the engine was moved, or it runs without a film.
      reel.show(frame)
      s.pictures.value = { ...s.pictures.value, [name]: frame }
      if (name === "A") showAt(frame.status.cycle)
    } else if (message.kind === "deadlock") {
      reel.deadlock = message.cycle
      redraw()
    } else if (message.kind === "ended") ended(name, message.result)
  }
}

function ended(name: "A" | "B", result: RunResult): void {
  // A film ends when the clock has reached its end.
  if (name === "A" && s.speed.value === Number.POSITIVE_INFINITY) s.running.value = false
  s.said.value = `${name} is done (${stopText(result.why)}): ${result.explains.split("\n")[0]}`
  const run = s.planned.value?.runs[s.sides.value.find((x) => x.name === name)?.run ?? -1]
  if (name === "A" && run !== undefined) addFinished({ ...run, result })
}

export function addFinished(f: Finished): void {
  s.finished.value = [...s.finished.value.filter((x) => x.hash !== f.hash), f]
}

/**
 * Opens a run of the plan on a side, optionally with changed parameters. `known`: the run as it was planned when the
 * site was built.
 */
export async function openSide(
  name: "A" | "B",
  run: number,
  set: readonly string[],
  from: number,
  known?: PlannedHere,
): Promise<s.Side> {
  const planned = known ?? (await planOf(set))?.runs[run]
  if (planned === undefined) throw new Refusal([{ path: "", says: "The experiment has no such run.", fix: "" }])
  const code = runsCode()
  const engine = code ? new Engine(`engine ${name}`, true) : fresh(`engine ${name}`)
  const reel = new Reel()
  engine.tell = told(name, reel)
  engine.died = (why) => {
    s.trouble.value = why
    s.sides.value = s.sides.value.filter((x) => x.engine !== engine)
    s.running.value = false
  }
  try {
    const opened = await engine.ask<Opened>({ do: "open", spec: planned.spec, files: s.files.value, code })
    await engine.ask({ do: "heat", heat: s.heat.value })
    reel.open(opened.scene.ends, opened.offered)
    return { name, engine, opened, run, set, from, reel }
  } catch (e) {
    engine.close()
    throw e
  }
}

async function planOf(set: readonly string[]): Promise<Planned | undefined> {
  if (set.length === 0) return s.planned.value
  const { text, fileName, files } = s
  return atPlanner().ask({ do: "plan", text: text.value, name: fileName.value, files: files.value, set })
}

/** A later opening replaces one that has not finished. */
let openings = 0

/**
 * Opens a run on side A, and on side B with the changes `other`, and closes what was open. Returns true if they are
 * shown: a later opening may have replaced this one.
 */
export async function openA(
  a?: PlannedHere,
  other?: { readonly set: readonly string[]; readonly b?: PlannedHere },
): Promise<boolean> {
  const shown = await trying("Building the network …", async () => {
    if (s.planned.value === undefined) return false
    const mine = ++openings
    const opening = await Promise.allSettled([
      openSide("A", s.run.value, [], 0, a),
      ...(other === undefined ? [] : [openSide("B", s.run.value, other.set, 0, other.b)]),
    ])
    const sides = opening.flatMap((o) => (o.status === "fulfilled" ? [o.value] : []))
    const failed = opening.find((o) => o.status === "rejected")
    if (failed !== undefined || mine !== openings) {
      for (const { engine } of sides) engine.close()
      if (failed !== undefined) throw failed.reason
      return false
    }
    for (const old of s.sides.value) old.engine.close()
    s.answer.value = undefined
    s.first.value = undefined
    s.cause.value = undefined
    s.gain.value = ""
    s.top.value = { channels: [], packets: [] }
    s.pictures.value = Object.fromEntries(sides.map(({ name, reel }) => [name, reel.frames[0]]))
    s.running.value = false
    s.sides.value = sides
    showAt(0)
    const { scene } = sides[0].opened
    s.said.value = `${scene.routers.toLocaleString("en")} routers, ${scene.ends.toLocaleString("en")} endpoints`
    return true
  })
  return shown === true
}
