// Opens a run that can be inspected, from its specification. The engines are loaded on demand.
import type { RunSpec } from "../../src/model/experiment.ts"
import { type Host, hostOf } from "../../src/model/host.ts"
import type { LiveRun } from "../../src/run/pausable.ts"
import type { Files } from "../shared/messages.ts"
import { Live } from "./live.ts"
import { bring } from "./plugins.ts"

export type Made<T> = { readonly ok: T } | { readonly bad: readonly string[] }

export async function openLive(
  spec: RunSpec,
  files: Files,
): Promise<Made<{ readonly live: Live; readonly limit: number }>> {
  if ((spec.plugins ?? []).length > 0)
    return { bad: ["The studio does not execute external plug-ins. Use the command line."] }
  // The engine and the plug-ins are loaded concurrently.
  await Promise.all([bring(spec), spec.engine.name === "packet" ? packetEngine() : clockedEngine()])
  const opened = await openOn(spec, hostOf(files))
  return "bad" in opened ? opened : { ok: { live: new Live(opened.ok.run), limit: opened.ok.limit } }
}

const packetEngine = () => import("../../src/run/packet/simulate.ts")
const clockedEngine = () => import("../../src/run/clocked/open.ts")

async function openOn(spec: RunSpec, host: Host): Promise<Made<{ readonly run: LiveRun; readonly limit: number }>> {
  if (spec.engine.name === "ideal")
    return { bad: ["The ideal engine has no network to show. Use the command line, or another engine."] }
  if (spec.engine.name === "packet") {
    const { preparePacket, openPacket } = await packetEngine()
    const ready = preparePacket(spec, host)
    return "bad" in ready
      ? { bad: ready.bad.map(said) }
      : { ok: { run: await openPacket(ready.ok), limit: ready.ok.plan.limit } }
  }
  const { prepareFlit, openFlit } = await clockedEngine()
  const ready = prepareFlit(spec, host)
  return "bad" in ready
    ? { bad: ready.bad.map(said) }
    : { ok: { run: await openFlit(ready.ok), limit: ready.ok.plan.limit } }
}

const said = ({ path, says, fix }: { path: string; says: string; fix: string }): string => `${path}: ${says}. ${fix}`
