// Actions on the experiment: its text, its form, its proofs, and the selection of the shown run.

import type { Files } from "../../shared/messages.ts"
import type { Completion, FormPart, Planned, SaidAt } from "../../shared/planner.ts"
import { Refusal } from "../client.ts"
import * as s from "../state.ts"
import { mayRun, opening } from "./code.ts"
import { atPlanner, plainPlanner, trying } from "./common.ts"
import { openA } from "./engines.ts"

/** An experiment with more routers opens as a matrix, unless the routers have positions. */
const MOST_AS_NETWORK = 600

let plannings = 0

const unallowed: SaidAt = {
  path: "plugins",
  says: "contains code, which is not executed without your consent",
  fix: "allow it above the network, or remove the modules",
}

/**
 * Replaces the text: plans it, shows complaints and updates the form. `after`: a promise to wait for before the planner
 * starts.
 */
export async function setText(text: string, name = s.fileName.value, after?: Promise<unknown>): Promise<boolean> {
  s.text.value = text
  s.fileName.value = name
  s.proofs.value = undefined
  const mine = ++plannings
  try {
    await after
    if (mine !== plannings) return false
    if (!(await mayRun(text, name))) {
      if (mine === plannings) s.complaints.value = [unallowed]
      return false
    }
    if (mine !== plannings) return false
    const made = await atPlanner().ask<Planned>({ do: "plan", text, name, files: s.files.value })
    if (mine !== plannings) return false
    s.planned.value = made
    s.complaints.value = []
    if (s.run.value >= made.runs.length) s.run.value = 0
    void refreshForm()
    return true
  } catch (e) {
    if (mine !== plannings) return false
    s.complaints.value = e instanceof Refusal ? e.said : [{ path: "", says: String(e), fix: "" } satisfies SaidAt]
    return false
  }
}

async function refreshForm(): Promise<void> {
  const { value: text } = s.text
  try {
    s.form.value = await atPlanner().ask<FormPart[]>({ do: "form", text, run: s.run.value, files: s.files.value })
  } catch {
    // Errors of the text are already shown.
  }
}

/** Writes a value of the form into the text. */
export async function write(path: string, value: unknown): Promise<void> {
  await trying("", async () =>
    setText(await plainPlanner().ask<string>({ do: "write", text: s.text.value, path, value })),
  )
}

/** Returns what fits at a position of the text; nothing if the planner is not there. */
export async function complete(text: string, offset: number): Promise<Completion | undefined> {
  try {
    return await plainPlanner().ask<Completion | undefined>({ do: "complete", text, offset })
  } catch {
    return undefined
  }
}

/** Simulates the edited text from cycle 0, without the words of a story, and keeps side B if it began at cycle 0. */
export async function buildText(): Promise<void> {
  const other = s.sides.value.find((x) => x.name === "B" && x.from === 0)
  if (!(await openA(undefined, other === undefined ? undefined : { set: other.set }))) return
  // The words of a story may not hold for another text.
  s.story.value = undefined
  s.sheet.value = false
}

export async function check(): Promise<void> {
  s.proofs.value = await trying("proving …", () =>
    atPlanner().ask<NonNullable<typeof s.proofs.value>>({
      do: "check",
      text: s.text.value,
      name: s.fileName.value,
      files: s.files.value,
    }),
  )
}

/** Writes another load into the experiment, and simulates all shown sides from cycle 0. */
export async function setLoad(load: number): Promise<void> {
  await write("traffic.0.load", load)
  await buildText()
}

export async function choose(run: number): Promise<void> {
  s.run.value = run
  await refreshForm()
  if (await openA()) s.sheet.value = false
}

/** Opens an experiment of the package or of the user. `trusted`: its modules are executed without a question. */
export async function openExperiment(text: string, name: string, files: Files = {}, trusted = false): Promise<void> {
  opening(() => showExperiment(text, name, files), trusted)
  await showExperiment(text, name, files)
}

async function showExperiment(text: string, name: string, files: Files): Promise<void> {
  s.files.value = files
  s.run.value = 0
  s.finished.value = []
  s.proofs.value = undefined
  s.badge.value = undefined
  s.story.value = undefined
  if (!(await setText(text, name)) || !(await openA())) return
  const { routers, kind } = s.sides.value[0].opened.scene
  s.matrix.value = routers > MOST_AS_NETWORK && kind !== "grid"
}
