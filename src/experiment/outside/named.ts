// The modules that an experiment names under `plugins`, with the places of their complaints.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { kindOf } from "../../core/units.ts"
import { type Consent, type Executable, moduleFrom } from "../gate.ts"
import { listOf, merged } from "../gather.ts"
import { placer } from "../settings.ts"
import type { Placed, Source } from "../source.ts"
import type { ExperimentFile } from "../text.ts"
import type { LoadedModule } from "./module.ts"

type Load = (paths: readonly Executable<"module">[], at: (i: number) => string) => Promise<Checked<LoadedModule[]>>

/** Returns what an experiment and its includes name under `plugins`; other values than texts are left out. */
export function pathsIn(file: ExperimentFile): readonly string[] {
  return listOf(writtenIn(file, [])).filter((one) => typeof one === "string")
}

/** Errors of the file itself are reported by the plan. */
function writtenIn(file: ExperimentFile, sources: Source[]): unknown {
  return merged(file.source, file.host, sources, [], [])["plugins"]
}

/** Loads the modules that an experiment and its includes name, unless code is refused. */
export async function loadNamedIn(
  file: ExperimentFile,
  consent: Consent,
  load: Load,
): Promise<{ ok: LoadedModule[] } | { bad: Placed[] }> {
  const sources: Source[] = []
  const written = writtenIn(file, sources)
  const at = (i: number) => (Array.isArray(written) ? `plugins.${i}` : "plugins")
  const place = placer(sources, [])
  const bad: Complaint[] = []
  const paths: Executable<"module">[] = []
  for (const [i, one] of listOf(written).entries()) {
    if (typeof one !== "string") {
      bad.push(
        complain(at(i), `expected the path of a module, found ${kindOf(one)}`, "write plugins: [./my-routing.mjs]"),
      )
      continue
    }
    const got = moduleFrom("experiment", one, consent)
    if ("ok" in got) paths.push(got.ok)
    else bad.push(complain(at(i), `${one} ${got.says}`, got.fix))
  }
  if (bad.length > 0) return { bad: bad.map(place) }
  const got = await load(paths, at)
  return "bad" in got ? { bad: got.bad.map(place) } : got
}
