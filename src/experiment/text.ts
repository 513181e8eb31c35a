// Reads experiments and included files from their texts. The host provides the texts.
import { complain } from "../core/complaint.ts"
import { bytesOf, type Host, hostOf } from "../model/host.ts"
import { unreadable } from "./disk/system-error.ts"
import { type Placed, type Source, yamlSource } from "./source.ts"

export interface ExperimentFile {
  readonly source: Source
  /** reads the files that the experiment names */
  readonly host: Host
  /** the file's name without extension, or the folder's name for an experiment.yaml */
  readonly name: string
}

/** limit in bytes for experiments, price lists and records */
export const mostText = 16 * 2 ** 20

/**
 * Returns an experiment from its text (YAML or JSON). `file`: its path in complaints; `host`: provides other files.
 * Never throws.
 */
export function readText(
  text: string,
  file = "experiment.yaml",
  host: Host = hostOf(),
): { ok: ExperimentFile } | { bad: Placed[] } {
  const got = yamlSource(file, text)
  if ("bad" in got) return got
  return isEmpty(got.ok) ? { bad: [emptyIn(file)] } : { ok: { source: got.ok, host, name: nameOf(file) } }
}

/** Returns the file's name without extension, or the folder's name for an experiment.yaml. */
export function nameOf(path: string): string {
  const [name = "", folder] = path.split(/[\\/]/).reverse()
  return folder !== undefined && folder !== "" && /^experiment\.\w+$/.test(name) ? folder : name.replace(/\.\w+$/, "")
}

export function isEmpty({ value }: Source): boolean {
  return value === null || value === undefined
}

export function emptyIn(file: string): Placed {
  return {
    file,
    ...complain("", "is empty", 'start with "lacewing: 1", network and traffic; "lacewing init" writes an example'),
  }
}

/** Reads an included file. */
export function includedSource(host: Host, path: string): { ok: Source } | { bad: Placed[] } {
  return sourceOf(host.shown?.(path) ?? path, () => bytesOf(host, path, mostText))
}

/** Returns a text with positions, from bytes. */
export function sourceOf(file: string, bytes: () => Uint8Array): { ok: Source } | { bad: Placed[] } {
  try {
    return yamlSource(file, new TextDecoder("utf-8", { fatal: true }).decode(bytes()))
  } catch (e) {
    if (e instanceof TypeError)
      return { bad: [{ file, ...complain("", "is not UTF-8 text", "save it as UTF-8 YAML or JSON") }] }
    return { bad: [{ file, ...complain("", unreadable(e), "check the path and its permissions") }] }
  }
}
