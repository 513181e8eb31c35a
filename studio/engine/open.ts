// Opens a run that can be inspected, from its specification. The engines are loaded on demand.
import { sharing } from "../../src/compile/offered.ts"
import { byteTime } from "../../src/compile/packet/byte-time.ts"
import { bringing } from "../../src/experiment/outside/known.ts"
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
  code = false,
): Promise<Made<{ readonly live: Live; readonly limit: number; readonly offered: number | undefined }>> {
  const host = hostOf(files)
  if ((spec.plugins ?? []).length > 0) {
    if (!code || !isIsolated())
      return { bad: ["The studio executes custom plug-ins only in a separate frame, and with your consent."] }
    const { loadNamedInPage } = await import("../../src/experiment/outside/in-page.ts")
    const bad = await loadNamedInPage(spec.plugins, host)
    if (bad.length > 0) return { bad: bad.map(said) }
  }
  // The engine and the plug-ins are loaded concurrently.
  await Promise.all([bring(spec), spec.engine.name === "packet" ? packetEngine() : clockedEngine()])
  const opened = await openOn(spec, bringing(host, spec.plugins))
  return "bad" in opened ? opened : { ok: { ...opened.ok, live: new Live(opened.ok.run) } }
}

/** True: this worker can reach no file and no address (studio/page/sandbox.ts). */
const isIsolated = (): boolean => Reflect.get(globalThis, "isolated") === true

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
    if ("bad" in ready) return { bad: ready.bad.map(said) }
    const { compiled, plan } = ready.ok
    const { network } = compiled
    // A load is a part of the rate of the links of endpoints.
    const rate = network.cycle / byteTime(network) / network.flit
    const load = spec.traffic.reduce((sum, t, i) => sum + t.load * sharing(compiled, i), 0)
    return {
      ok: {
        run: await openPacket(ready.ok),
        limit: plan.limit,
        offered: spec.jobs === undefined ? rate * load : undefined,
      },
    }
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
