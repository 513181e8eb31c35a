// Consent to the code of an experiment. Nothing of a module is executed before the reader has agreed, except after
// `lacewing studio FILE --code`, which is the consent.
import type { ModuleHere } from "../../shared/planner.ts"
import * as s from "../state.ts"
import { plainPlanner } from "./common.ts"

/** Opens the experiment that waits for consent. */
let again: (() => Promise<unknown>) | undefined

/**
 * Names what is opened, so that it can be opened again after consent. `trusted`: consent was given on the command line.
 */
export function opening(open: () => Promise<unknown>, trusted = false): void {
  again = open
  s.trusted.value = trusted
  if (!trusted) s.code.value = undefined
}

/** Returns whether the experiment may be planned: it names no module, or the reader agreed to exactly these modules. */
export async function mayRun(text: string, name: string): Promise<boolean> {
  const modules = /\b(plugins|include)\b/.test(text)
    ? await plainPlanner().ask<readonly ModuleHere[]>({ do: "modules", text, name, files: s.files.value })
    : []
  if (modules.length === 0) {
    s.code.value = undefined
    return true
  }
  const { value: before } = s.code
  const isSame = before !== undefined && hashesOf(before.modules) === hashesOf(modules)
  const allowed = s.trusted.value ? true : isSame ? before.allowed : undefined
  s.code.value = { modules, allowed }
  return allowed === true
}

const hashesOf = (modules: readonly ModuleHere[]): string => modules.map((m) => m.hash).join()

/** Executes the modules in isolated workers. */
export async function allowCode(): Promise<void> {
  if (s.code.value === undefined) return
  s.code.value = { ...s.code.value, allowed: true }
  s.complaints.value = []
  await again?.()
}

export function refuseCode(): void {
  if (s.code.value !== undefined) s.code.value = { ...s.code.value, allowed: false }
}

/** True: the shown experiment executes custom plug-ins. */
export const runsCode = (): boolean => s.code.value?.allowed === true
