// Engines of the sides: opened, heard, and what their ends tell.
import type { RunResult } from "../../../src/model/experiment.ts"
import type { Finished, Planned } from "../../shared/desk.ts"
import type { Opened, Told } from "../../shared/messages.ts"
import { Engine, Refusal } from "../client.ts"
import * as s from "../state.ts"
import { atDesk, trying } from "./common.ts"

/** a worker that has loaded its code before anybody has said what to run */
let spare: Engine | undefined

export function prepare(): void {
  spare ??= new Engine("engine A")
}

function fresh(name: string): Engine {
  const engine = spare
  spare = undefined
  return engine === undefined || engine.dead ? new Engine(name) : engine
}

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
  s.said.value = `${name} has ended (${result.why}): ${result.explains.split("\n")[0]}`
  const run = s.planned.value?.runs[s.sides.value.find((x) => x.name === name)?.run ?? -1]
  if (name === "A" && run !== undefined) addFinished({ ...run, result })
}

export function addFinished(f: Finished): void {
  s.finished.value = [...s.finished.value.filter((x) => x.hash !== f.hash), f]
}

export async function openSide(name: "A" | "B", run: number, set: readonly string[], from: number): Promise<s.Side> {
  const plan =
    set.length === 0
      ? s.planned.value
      : await atDesk().ask<Planned>({ do: "plan", text: s.text.value, name: s.fileName.value, files: s.files.value, set })
  const planned = plan?.runs[run]
  if (planned === undefined) throw new Refusal([{ path: "", says: "the experiment has no such run", fix: "" }])
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
