// Opens given files: from the user, or an experiment or results from the local server.
import { readLinked } from "../../shared/link.ts"
import { isStill } from "../film/clock.ts"
import { isSingleFile, siteJson } from "../site.ts"
import * as s from "../state.ts"
import { fail, now } from "./common.ts"
import { openA } from "./engines.ts"
import { openExperiment, setText } from "./experiment.ts"
import { openLinked } from "./link.ts"
import { openResults, refreshResults } from "./results.ts"
import { openPoint } from "./sweep.ts"
import { play, seek } from "./time.ts"

/**
 * Opens a file: an experiment, a link that was too long for an address, or the runs of a results folder (Parquet).
 * Other files are rejected with a message.
 */
export async function openGiven(name: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length > 4 * 2 ** 20 && !isParquet(bytes)) {
    s.trouble.value = `${name} has ${bytes.length} bytes: too many for an experiment. Open results as a folder.`
    return
  }
  if (name.endsWith(".parquet") || isParquet(bytes)) return openResults({ "results/runs/0001.parquet": bytes })
  const text = new TextDecoder("utf-8").decode(bytes)
  if (text.includes("\0") || text.includes("�")) {
    s.trouble.value = `${name} is not a text file. The studio opens experiments (YAML, JSON), saved links and results folders.`
    return
  }
  if (text.trimStart().startsWith('{"') && text.includes('"fingerprint"') && text.includes('"form"')) {
    const read = readLinked(text)
    if ("ok" in read) return openLinked(read.ok)
    s.trouble.value = `${name}: ${read.bad}.`
    return
  }
  if (!/(^|[\s{,"'])lacewing["']?\s*:/.test(text)) {
    s.trouble.value = `${name} is not an experiment, because it has no key lacewing. The open experiment stays.`
    return
  }
  await openExperiment(text, name)
}

/** The magic number "PAR1". */
const isParquet = (bytes: Uint8Array): boolean => [0x50, 0x41, 0x52, 0x31].every((b, i) => bytes[i] === b)

/** The last changes of the modules that were loaded. */
let loaded: Served["code"]

/** Loads modules that have changed, and opens the experiment again at the shown cycle. */
async function reload(bytesOf: (path: string) => Promise<Uint8Array>): Promise<void> {
  if (!s.trusted.value) return
  try {
    const { code = {} } = await siteJson<Served>("given.json")
    const changed = Object.keys(code).filter((file) => code[file] !== loaded?.[file])
    loaded = code
    if (changed.length === 0) return
    const [cycle, running] = [now(), s.running.value]
    const texts = await Promise.all(changed.map(async (file) => [file, await bytesOf(file)] as const))
    s.files.value = { ...s.files.value, ...Object.fromEntries(texts) }
    if (!(await setText(s.text.value)) || !(await openA())) return
    await seek(cycle)
    s.said.value = `${changed.join(", ")} was changed and loaded again.`
    if (running) await play()
  } catch {
    // The server has ended, or a file is just being written.
  }
}

interface Served {
  readonly experiment?: string
  readonly files?: readonly string[]
  readonly results?: readonly string[]
  /** A text for each file of the results that differs after a change. */
  /** The first digits of the hash of a stored run to open. */
  readonly run?: string
  /** The address of a studio for links. */
  readonly host?: string
  readonly stamps?: Readonly<Record<string, string>>
  /** Modules that the command line allowed, and when they were last changed. */
  readonly code?: Readonly<Record<string, number>>
  /** Of a file of `lacewing run --trace`: the first cycle that it shows, and what it shows. */
  readonly trace?: { readonly from: number; readonly says: string }
  /** In a single file: the contents as base64. */
  readonly contents?: Readonly<Record<string, string>>
}

/** Plays the stored run with this hash, or with these first digits. */
async function openHash(hash: string): Promise<void> {
  const found = s.results.value?.rows.filter((r) => r.hash.startsWith(hash)) ?? []
  if (found.length === 1) await openPoint(found[0].id)
  else s.trouble.value = `${found.length === 0 ? "No run has" : "Several runs have"} a hash that begins with ${hash}.`
}

/** Milliseconds between two looks at a results folder. */
const LOOK = 2000

/** Opens a results folder, and reads it again while `lacewing run` adds runs. */
async function follow(served: Served, bytesOf: (path: string) => Promise<Uint8Array>): Promise<void> {
  const files: Record<string, Uint8Array> = {}
  let known: Served["stamps"] = {}
  const read = async ({ results = [], stamps = {} }: Served): Promise<boolean> => {
    const changed = results.filter((p) => files[`results/${p}`] === undefined || stamps[p] !== known?.[p])
    const all = await Promise.all(changed.map(async (p) => [`results/${p}`, await bytesOf(p)] as const))
    for (const path of Object.keys(files)) if (!results.includes(path.slice("results/".length))) delete files[path]
    Object.assign(files, Object.fromEntries(all))
    known = stamps
    return changed.length > 0
  }
  await read(served)
  await openResults(files)
  if (served.stamps === undefined) return
  const look = async () => {
    try {
      if (await read(await siteJson<Served>("given.json"))) await refreshResults(files)
    } catch {
      // The server has ended, or a file was just being replaced.
    }
    setTimeout(() => void look(), LOOK)
  }
  setTimeout(() => void look(), LOOK)
}

/** Simulates up to the first cycle of a replay, and plays from there. */
async function replay({ from, says }: NonNullable<Served["trace"]>): Promise<void> {
  await seek(from)
  await play()
  s.said.value = says
}

/** Opens the argument of `lacewing studio FILE`. Returns false if there is none. */
export async function openServed(): Promise<boolean> {
  const inside = isSingleFile()
  if (!inside && document.querySelector('meta[name="served"]') === null) return false
  try {
    const served = await siteJson<Served>("given.json")
    const bytesOf = async (path: string): Promise<Uint8Array> => {
      const content = served.contents?.[path]
      if (content !== undefined) return Uint8Array.from(atob(content), (c) => c.charCodeAt(0))
      const answer = await fetch(`given/${path.split("/").map(encodeURIComponent).join("/")}`)
      return new Uint8Array(await answer.arrayBuffer())
    }
    s.host.value = served.host ?? ""
    if (served.results !== undefined) {
      await follow(served, bytesOf)
      if (served.run !== undefined) await openHash(served.run)
      return true
    }
    if (served.experiment === undefined) return false
    const beside = await Promise.all((served.files ?? []).map(async (p) => [p, await bytesOf(p)] as const))
    const text = new TextDecoder().decode(await bytesOf(served.experiment))
    // A single file may be opened on other machines, so the consent of the command line does not hold there.
    const trusted = served.code !== undefined && !inside
    await openExperiment(text, served.experiment, Object.fromEntries(beside), trusted)
    loaded = served.code
    if (served.trace !== undefined) await replay(served.trace)
    // As a story, unless the reader avoids motion.
    else if (s.sides.value.length > 0 && !isStill()) await play()
    if (trusted) setInterval(() => void reload(bytesOf), 1000)
    return true
  } catch (e) {
    fail(e)
    return false
  }
}
