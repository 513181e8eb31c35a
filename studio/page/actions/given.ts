// Opens given files: from the user, or an experiment or results from the local server.
import { readLinked } from "../../shared/link.ts"
import { isSingleFile, siteJson } from "../site.ts"
import * as s from "../state.ts"
import { fail } from "./common.ts"
import { openExperiment } from "./experiment.ts"
import { openLinked } from "./link.ts"
import { openResults } from "./results.ts"

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

interface Served {
  readonly experiment?: string
  readonly files?: readonly string[]
  readonly results?: readonly string[]
  /** In a single file: the contents as base64. */
  readonly contents?: Readonly<Record<string, string>>
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
    if (served.results !== undefined) {
      const all = await Promise.all(served.results.map(async (p) => [`results/${p}`, await bytesOf(p)] as const))
      await openResults(Object.fromEntries(all))
      return true
    }
    if (served.experiment === undefined) return false
    const beside = await Promise.all((served.files ?? []).map(async (p) => [p, await bytesOf(p)] as const))
    await openExperiment(
      new TextDecoder().decode(await bytesOf(served.experiment)),
      served.experiment,
      Object.fromEntries(beside),
    )
    return true
  } catch (e) {
    fail(e)
    return false
  }
}
