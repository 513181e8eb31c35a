// The engines of the sides A and B: opening them, handling their messages, and recording their results.
import { stopText } from "../../../src/core/wording.ts"
import type { RunResult } from "../../../src/model/experiment.ts"
import type { Opened, Told } from "../../shared/messages.ts"
import type { Finished, Planned } from "../../shared/planner.ts"
import { Engine, Refusal } from "../client.ts"
import * as s from "../state.ts"
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

/** Returns the message handler of a side: pictures update the view, the end of a run adds its result. */
function told(name: "A" | "B"): (message: Told) => void {
  return (message) => {
    if (message.kind === "frame") {
      s.pictures.value = { ...s.pictures.value, [name]: { heat: new Uint8Array(message.heat), status: message.status } }
      if (name === "A") s.running.value = message.status.running
    } else if (message.kind === "ended") ended(name, message.result)
  }
}

function ended(name: "A" | "B", result: RunResult): void {
  if (name === "A") s.running.value = false
  s.said.value = `${name} is done (${stopText(result.why)}): ${result.explains.split("\n")[0]}`
  const run = s.planned.value?.runs[s.sides.value.find((x) => x.name === name)?.run ?? -1]
  if (name === "A" && run !== undefined) addFinished({ ...run, result })
}

export function addFinished(f: Finished): void {
  s.finished.value = [...s.finished.value.filter((x) => x.hash !== f.hash), f]
}

/** Opens a run of the plan on a side, optionally with changed parameters. */
export async function openSide(name: "A" | "B", run: number, set: readonly string[], from: number): Promise<s.Side> {
  const plan =
    set.length === 0
      ? s.planned.value
      : await atPlanner().ask<Planned>({
          do: "plan",
          text: s.text.value,
          name: s.fileName.value,
          files: s.files.value,
          set,
        })
  const planned = plan?.runs[run]
  if (planned === undefined) throw new Refusal([{ path: "", says: "The experiment has no such run.", fix: "" }])
  const engine = fresh(`engine ${name}`)
  engine.tell = told(name)
  engine.died = (why) => {
    s.trouble.value = why
    s.sides.value = s.sides.value.filter((x) => x.engine !== engine)
    s.running.value = false
  }
  try {
    const opened = await engine.ask<Opened>({ do: "open", spec: planned.spec, files: s.files.value, code: false })
    await engine.ask({ do: "heat", heat: s.heat.value })
    return { name, engine, opened, run, set, from }
  } catch (e) {
    engine.close()
    throw e
  }
}

export async function openA(): Promise<void> {
  await trying("building the network …", async () => {
    if (s.planned.value === undefined) return
    const side = await openSide("A", s.run.value, [], 0)
    for (const old of s.sides.value) old.engine.close()
    s.answer.value = undefined
    s.top.value = { channels: [], packets: [] }
    s.sides.value = [side]
    s.running.value = false
    s.said.value = `${side.opened.scene.routers} routers, ${side.opened.scene.ends} endpoints`
  })
}
