// Opens a run that can be inspected, from its specification. The engines are loaded on demand.
import { sharing } from "../../src/compile/offered.ts"
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
): Promise<Made<{ readonly live: Live; readonly limit: number; readonly offered: number | undefined }>> {
  if ((spec.plugins ?? []).length > 0)
    return { bad: ["The studio does not execute external plug-ins. Use the command line."] }
  // The engine and the plug-ins are loaded concurrently.
  await Promise.all([bring(spec), spec.engine.name === "packet" ? packetEngine() : clockedEngine()])
  const opened = await openOn(spec, hostOf(files))
  return "bad" in opened ? opened : { ok: { ...opened.ok, live: new Live(opened.ok.run) } }
}

const packetEngine = () => import("../../src/run/packet/simulate.ts")
const clockedEngine = () => import("../../src/run/clocked/open.ts")

interface Ready {
  readonly run: LiveRun
  readonly limit: number
  readonly offered: number | undefined
}

async function openOn(spec: RunSpec, host: Host): Promise<Made<Ready>> {
  if (spec.engine.name === "ideal")
    return { bad: ["The ideal engine has no network to show. Use the command line, or another engine."] }
  if (spec.engine.name === "packet") {
    const { preparePacket, openPacket } = await packetEngine()
    const ready = preparePacket(spec, host)
    return "bad" in ready
      ? { bad: ready.bad.map(said) }
      : { ok: { run: await openPacket(ready.ok), limit: ready.ok.plan.limit, offered: undefined } }
  }
  const { prepareFlit, openFlit } = await clockedEngine()
  const ready = prepareFlit(spec, host)
  if ("bad" in ready) return { bad: ready.bad.map(said) }
  const { compiled, plan } = ready.ok
  // The messages of ranks depend on the run, so their load is not known before.
  const offered =
    spec.jobs === undefined ? spec.traffic.reduce((sum, t, i) => sum + t.load * sharing(compiled, i), 0) : undefined
  return { ok: { run: await openFlit(ready.ok), limit: plan.limit, offered } }
}

const said = ({ path, says, fix }: { path: string; says: string; fix: string }): string => `${path}: ${says}. ${fix}`
