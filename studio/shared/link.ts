// An experiment, a cycle and a view in the fragment of an address: canonical JSON, deflated, base64url. Whatever a fragment holds, reading it never throws: it is
// ours, or there is a sentence that says why not.
import { canonical } from "../../src/core/canonical.ts"
import { type HeatKind, heatKinds } from "./messages.ts"

/** The form of the words in a link; a newer one is refused, not guessed. */
export const FORM = 1
/** characters of a fragment that every browser and mail program takes, and of the JSON inside */
export const MOST_FRAGMENT = 8192
const MOST_TEXT = 2 ** 20

export interface Linked {
  readonly form: number
  /** of the program that made it */
  readonly version: string
  readonly text: string
  /** texts that the experiment names */
  readonly files?: Readonly<Record<string, string>>
  /** which run of the plan */
  readonly run: number
  readonly cycle: number
  readonly heat: HeatKind
  /** of the state at that cycle; empty: there is none to agree with, and the run begins by itself */
  readonly fingerprint: string
  /** what was changed on the other side at which cycle, where two are shown */
  readonly other?: { readonly set: readonly string[]; readonly cycle: number }
}

export type Read = { readonly ok: Linked } | { readonly bad: string }

export async function fragmentOf(linked: Linked): Promise<{ ok: string } | { bad: string }> {
  const bytes = new TextEncoder().encode(canonical(linked))
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY)
  const fragment = base64url(packed!)
  return fragment.length > MOST_FRAGMENT
    ? {
        bad: `the link would have ${fragment.length} characters, and ${MOST_FRAGMENT} is the most that is passed on everywhere: save it as a file`,
      }
    : { ok: fragment }
}

export async function readFragment(fragment: string): Promise<Read> {
  if (fragment.length > MOST_FRAGMENT)
    return { bad: `the link has ${fragment.length} characters, more than the ${MOST_FRAGMENT} that one may have` }
  const packed = bytesOf(fragment)
  if (packed === undefined || packed.length === 0)
    return { bad: "the link holds characters that no link of the studio has: it is cut off or mistyped" }
  const bytes = await through(packed, new DecompressionStream("deflate-raw"), MOST_TEXT)
  if (bytes === undefined) return { bad: "the link cannot be unpacked: it is cut off, mistyped, or not ours" }
  return readLinked(new TextDecoder().decode(bytes))
}

/** The JSON of a link, from a fragment or from a file. */
export function readLinked(text: string): Read {
  if (text.length > MOST_TEXT) return { bad: "that is too long for a link" }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { bad: "the link holds no JSON: it is cut off, or not ours" }
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { bad: "the link holds no experiment" }
  const of = (name: string): unknown => (Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined)
  const form = of("form")
  if (typeof form === "number" && form > FORM)
    return { bad: `the link is of a newer studio (form ${form}; this one knows up to ${FORM}): update lacewing` }
  if (form !== FORM) return { bad: "the link does not say what form it has: it is not ours" }
  const [version, written, fingerprint] = [of("version"), of("text"), of("fingerprint")]
  if (typeof version !== "string" || typeof written !== "string" || typeof fingerprint !== "string")
    return { bad: "the link lacks its experiment" }
  const [run, cycle] = [whole(of("run")), whole(of("cycle"))]
  if (run === undefined || cycle === undefined) return { bad: "the link names a run or a cycle that cannot be" }
  const heat = heatKinds.find((k) => k === of("heat")) ?? "utilisation"
  const other = otherOf(of("other"))
  const files = filesOf(of("files"))
  return {
    ok: {
      form: FORM,
      version,
      text: written,
      run,
      cycle,
      heat,
      fingerprint,
      ...(files === undefined ? {} : { files }),
      ...(other === undefined ? {} : { other }),
    },
  }
}

function filesOf(given: unknown): Linked["files"] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined
  const entries = Object.entries(given).filter((e): e is [string, string] => typeof e[1] === "string")
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function otherOf(given: unknown): Linked["other"] {
  if (typeof given !== "object" || given === null) return undefined
  const set = Reflect.get(given, "set")
  const cycle = whole(Reflect.get(given, "cycle"))
  if (cycle === undefined || !Array.isArray(set) || !set.every((s) => typeof s === "string") || set.length > 64) return undefined
  return { set, cycle }
}

function whole(n: unknown): number | undefined {
  return typeof n === "number" && Number.isSafeInteger(n) && n >= 0 ? n : undefined
}

/** All that comes out of the stream; undefined if it breaks, or is more than `most`. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<BufferSource> },
  most: number,
): Promise<Uint8Array | undefined> {
  const writer = stream.writable.getWriter()
  // a broken stream is told by its reading side
  const written = writer.write(bytes).then(
    () => writer.close(),
    () => undefined,
  )
  written.catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      if (length > most) {
        void reader.cancel().catch(() => undefined)
        return undefined
      }
      parts.push(value)
    }
    await written.catch(() => undefined)
  } catch {
    return undefined
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function base64url(bytes: Uint8Array): string {
  let text = ""
  for (const b of bytes) text += String.fromCharCode(b)
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
  } catch {
    return undefined
  }
}
