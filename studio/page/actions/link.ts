// Converts the state of the page into a link, and opens a link. shared/link.ts has the encoding.
import { packageVersion } from "../../../src/experiment/identity/version.ts"
import { FORM, fragmentOf, type Linked, readFragment, type Selected } from "../../shared/link.ts"
import type { Files } from "../../shared/messages.ts"
import { Refusal } from "../client.ts"
import * as s from "../state.ts"
import { branch } from "./branch.ts"
import { opening } from "./code.ts"
import { all, now, save, sideOf, trying } from "./common.ts"
import { openA } from "./engines.ts"
import { setText } from "./experiment.ts"
import { askChannel, askEndpoint, askPacket, askRouter, askWhy } from "./inspect.ts"
import { isStory } from "./stories.ts"
import { pause, play, seek } from "./time.ts"

/** Returns a link to the shown experiment, run, cycle, view and selection, with the fingerprint of the state. */
export async function linkHere(): Promise<string | undefined> {
  return trying("", async () => {
    const linked = await linkedHere()
    const made = await fragmentOf(linked)
    if ("bad" in made) {
      save("studio-link.json", JSON.stringify(linked), "application/json")
      throw new Refusal([{ path: "", says: made.bad, fix: "" }])
    }
    const url = new URL(location.href)
    url.hash = made.ok
    history.replaceState(null, "", url)
    return s.host.value === "" ? url.href : `${s.host.value.replace(/#.*$/, "")}#${made.ok}`
  })
}

/** Copies the link, or leaves it in the address bar if the browser does not allow that. */
export async function copyLink(): Promise<void> {
  const link = await linkHere()
  if (link === undefined) return
  try {
    await navigator.clipboard.writeText(link)
    s.said.value = `Copied the link to cycle ${now().toLocaleString("en")} (${link.length} characters).`
  } catch {
    s.said.value = `The link is in the address bar (${link.length} characters).`
  }
}

/** Saves this page as one file that opens the current state without a server. */
export async function savePage(): Promise<void> {
  await trying("Packing the page …", async () => {
    const made = await fragmentOf(await linkedHere())
    if ("bad" in made) throw new Refusal([{ path: "", says: made.bad, fix: "" }])
    const page = await (await fetch("single.html")).text()
    const meta = `<meta name="link" content="${made.ok}">\n<meta charset`
    save(s.fileName.value.replace(/(\.\w+)?$/, ".html"), page.replace("<meta charset", meta), "text/html")
  })
}

/** Returns the link inside the page, if it was saved with one. */
export const linkInside = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="link"]')?.getAttribute("content") ?? ""

async function linkedHere(): Promise<Linked> {
  const side = sideOf("A")
  if (side === undefined) throw new Refusal([{ path: "", says: "No experiment is open.", fix: "" }])
  if (s.running.value) await pause()
  const [a, b] = await all<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
  const other = sideOf("B")
  const selected = selectedHere()
  return {
    ...{ form: FORM, version: packageVersion, text: s.text.value, run: side.run },
    ...{ cycle: a.cycle, heat: s.heat.value, fingerprint: a.fingerprint },
    ...(s.story.value === undefined ? {} : { story: s.story.value }),
    ...(s.matrix.value ? { matrix: true } : {}),
    ...(s.colouring.value === "source" ? { colouring: s.colouring.value } : {}),
    ...(selected === undefined ? {} : { selected }),
    ...(Object.keys(s.files.value).length === 0 ? {} : { files: textsOf(s.files.value) }),
    ...(other === undefined ? {} : { other: { set: other.set, cycle: other.from, fingerprint: b.fingerprint } }),
  }
}

function selectedHere(): Selected | undefined {
  const { value } = s.answer
  if (value === undefined) return undefined
  const side = value.side === "B" ? "B" : "A"
  if (value.kind === "diagnosis") return { side, kind: "diagnosis" }
  if (value.kind === "channel") return { side, kind: "channel", number: value.is.chan }
  if (value.kind === "router") return { side, kind: "router", number: value.is.router }
  if (value.kind === "endpoint") return { side, kind: "endpoint", number: value.is.end }
  const { key, from, createdAt } = value.is
  return { side, kind: "packet", key, from, createdAt }
}

async function select(selected: Selected): Promise<void> {
  if (selected.kind === "diagnosis") await askWhy(selected.side)
  else if (selected.kind === "packet") await askPacket(selected, selected.side)
  else if (selected.kind === "channel") await askChannel(selected.number, selected.side)
  else if (selected.kind === "endpoint") await askEndpoint(selected.number, selected.side)
  else await askRouter(selected.number, selected.side)
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
  opening(() => showLinked(linked))
  await showLinked(linked)
}

async function showLinked(linked: Linked): Promise<void> {
  const { other } = linked
  s.run.value = linked.run
  s.heat.value = linked.heat
  s.matrix.value = linked.matrix === true
  s.colouring.value = linked.colouring ?? "age"
  s.badge.value = undefined
  s.finished.value = []
  s.files.value = linked.files ?? {}
  s.story.value = undefined
  if (!(await setText(linked.text, `${linked.story ?? "linked"}.yaml`))) {
    // The code of the link needs consent first.
    if (s.code.value !== undefined && s.code.value.allowed !== true) return
    s.trouble.value = "The experiment of this link is not valid. Its errors are shown in the editor."
    s.sheet.value = true
    s.tab.value = "experiment"
    return
  }
  await openA(undefined, other?.cycle === 0 ? other : undefined)
  if (sideOf("A") === undefined) return
  if (linked.story !== undefined && isStory(linked.story)) s.story.value = linked.story
  // A link of the manual has no fingerprint, because the run has not been executed before.
  if (linked.fingerprint === "") return play()
  if (other !== undefined && other.cycle > 0) {
    await seek(other.cycle)
    await branch(other.set)
  }
  await seek(linked.cycle)
  const [a, b] = await all<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
  const same = other?.fingerprint === undefined || b?.fingerprint === other.fingerprint
  const agrees = a.fingerprint === linked.fingerprint && a.cycle === linked.cycle && same
  const version = linked.version === packageVersion ? "" : ` (made by ${linked.version}, this is ${packageVersion})`
  const cycle = linked.cycle.toLocaleString("en")
  s.badge.value = {
    agrees,
    says: agrees ? `same bits as the shared run, cycle ${cycle}` : `different from the shared run${version}`,
  }
  if (linked.selected !== undefined) await select(linked.selected)
}
