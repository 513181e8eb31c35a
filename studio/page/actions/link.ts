// Converts the state of the page into a link, and opens a link. shared/link.ts has the encoding.
import { packageVersion } from "../../../src/experiment/identity/version.ts"
import { FORM, fragmentOf, type Linked, readFragment } from "../../shared/link.ts"
import type { Files } from "../../shared/messages.ts"
import { Refusal } from "../client.ts"
import * as s from "../state.ts"
import { branch } from "./branch.ts"
import { all, save, sideOf, trying } from "./common.ts"
import { openA } from "./engines.ts"
import { setText } from "./experiment.ts"
import { play, seek } from "./time.ts"

/** Returns a link to the shown experiment, run, cycle and view, with the fingerprint of the state. */
export async function linkHere(): Promise<string | undefined> {
  return trying("", async () => {
    const side = sideOf("A")
    if (side === undefined) throw new Refusal([{ path: "", says: "No experiment is open.", fix: "" }])
    await all({ do: "pause" })
    s.running.value = false
    const { cycle, fingerprint } = await side.engine.ask<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
    const b = sideOf("B")
    const linked: Linked = {
      ...{
        form: FORM,
        version: packageVersion,
        text: s.text.value,
        run: side.run,
        cycle,
        heat: s.heat.value,
        fingerprint,
      },
      ...(Object.keys(s.files.value).length === 0 ? {} : { files: textsOf(s.files.value) }),
      ...(b === undefined ? {} : { other: { set: b.set, cycle: b.from } }),
    }
    const made = await fragmentOf(linked)
    if ("bad" in made) {
      save("studio-link.json", JSON.stringify(linked), "application/json")
      throw new Refusal([{ path: "", says: made.bad, fix: "" }])
    }
    const url = new URL(location.href)
    url.hash = made.ok
    history.replaceState(null, "", url)
    return url.href
  })
}

/** Returns only the files that the experiment names. */
function textsOf(files: Files): Record<string, string> {
  const named = Object.entries(files).filter(([path]) => s.text.value.includes(path))
  return Object.fromEntries(named.map(([path, c]) => [path, typeof c === "string" ? c : new TextDecoder().decode(c)]))
}

/** Opens the state of a link. Returns true if the fragment was a link. */
export async function openLink(fragment: string): Promise<boolean> {
  const read = await readFragment(fragment)
  if ("bad" in read) {
    s.trouble.value = `This link cannot be opened: ${read.bad}.`
    return false
  }
  await openLinked(read.ok)
  return true
}

/**
 * Opens the experiment of a link, seeks its cycle and compares the fingerprints, which must be equal on all machines.
 */
export async function openLinked(linked: Linked): Promise<void> {
  s.run.value = linked.run
  s.heat.value = linked.heat
  s.badge.value = undefined
  s.files.value = linked.files ?? {}
  if (!(await setText(linked.text, "linked.yaml"))) {
    s.trouble.value = "The experiment of this link is not valid. Its errors are shown next to the text."
    return
  }
  await openA()
  const side = sideOf("A")
  if (side === undefined) return
  // A link of the manual has no fingerprint, because the run has not been executed before.
  if (linked.fingerprint === "") return play()
  await seek(linked.cycle)
  const { cycle, fingerprint } = await side.engine.ask<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
  const agrees = fingerprint === linked.fingerprint && cycle === linked.cycle
  const version = linked.version === packageVersion ? "" : ` (made by ${linked.version}, this is ${packageVersion})`
  s.badge.value = {
    agrees,
    says: agrees ? `bit-identical to the shared run, cycle ${cycle}` : `different from the shared run${version}`,
  }
  if (linked.other !== undefined) await branch(linked.other.set)
}
