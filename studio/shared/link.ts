// Encodes an experiment, a cycle and a view in the fragment of an address: canonical JSON, compressed with deflate,
// base64url. Reading never throws: the result is the state, or a sentence that explains why the fragment is invalid.
import { canonical } from "../../src/core/canonical.ts"
import { LINK_FORM, MOST_FRAGMENT } from "../../src/results/live/format.ts"
import { type HeatKind, heatKinds, type PacketName } from "./messages.ts"

export const FORM = LINK_FORM
export { MOST_FRAGMENT }

/** Maximum characters of the JSON of a link. */
const MOST_TEXT = 2 ** 20

export interface Linked {
  readonly form: number
  /** Version of the program that created it. */
  readonly version: string
  readonly text: string
  /** Files that the experiment names. */
  readonly files?: Readonly<Record<string, string>>
  /** Index of the run in the plan. */
  readonly run: number
  readonly cycle: number
  readonly heat: HeatKind
  /** The story that gives the words, the choices of the view, and the selected object. */
  readonly story?: string
  readonly matrix?: boolean
  readonly colouring?: "source"
  readonly selected?: Selected
  /** Fingerprint of the state at that cycle; empty: there is nothing to compare, and the run starts automatically. */
  readonly fingerprint: string
  /** The changes of side B and the cycle of the branch, if there are two sides. */
  readonly other?: { readonly set: readonly string[]; readonly cycle: number; readonly fingerprint?: string }
}

/** An inspected object of a side. */
export type Selected = { readonly side: "A" | "B" } & (
  | ({ readonly kind: "packet" } & PacketName)
  | { readonly kind: "channel" | "router" | "endpoint"; readonly number: number }
  | { readonly kind: "diagnosis" }
)

export type Read = { readonly ok: Linked } | { readonly bad: string }

export async function fragmentOf(linked: Linked): Promise<{ ok: string } | { bad: string }> {
  const bytes = new TextEncoder().encode(canonical(linked))
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY)
  const fragment = base64url(packed!)
  return fragment.length > MOST_FRAGMENT
    ? {
        bad:
          `The link would have ${fragment.length} characters, more than the ` +
          `limit of ${MOST_FRAGMENT}. Save it as a file`,
      }
    : { ok: fragment }
}

export async function readFragment(fragment: string): Promise<Read> {
  if (fragment.length > MOST_FRAGMENT)
    return { bad: `the link has ${fragment.length} characters, more than the limit of ${MOST_FRAGMENT}` }
  const packed = bytesOf(fragment)
  if (packed === undefined || packed.length === 0)
    return { bad: "the link contains invalid characters; it is truncated or mistyped" }
  const bytes = await through(packed, new DecompressionStream("deflate-raw"), MOST_TEXT)
  if (bytes === undefined)
    return { bad: "the link cannot be unpacked; it is truncated, mistyped, or not from the studio" }
  return readLinked(new TextDecoder().decode(bytes))
}

/** Parses the JSON of a link, from a fragment or a file. */
export function readLinked(text: string): Read {
  if (text.length > MOST_TEXT) return { bad: "that is too long for a link" }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { bad: "the link contains no JSON; it is truncated, or not from the studio" }
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return { bad: "the link contains no experiment" }
  const of = (name: string): unknown => (Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined)
  const form = of("form")
  if (typeof form === "number" && form > FORM)
    return { bad: `the link comes from a newer studio (format ${form}; this one reads up to ${FORM}); update lacewing` }
  if (form !== FORM && form !== 1) return { bad: "the link has no format number, so it is not from the studio" }
  const [version, written, fingerprint] = [of("version"), of("text"), of("fingerprint")]
  if (typeof version !== "string" || typeof written !== "string" || typeof fingerprint !== "string")
    return { bad: "the link has no experiment" }
  const [run, cycle] = [whole(of("run")), whole(of("cycle"))]
  if (run === undefined || cycle === undefined) return { bad: "the link contains an impossible run or cycle" }
  const heat = heatKinds.find((k) => k === of("heat")) ?? "utilisation"
  const other = otherOf(of("other"))
  const files = filesOf(of("files"))
  const story = of("story")
  const selected = selectedOf(of("selected"))
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
      ...(typeof story === "string" ? { story } : {}),
      ...(of("matrix") === true ? { matrix: true } : {}),
      ...(of("colouring") === "source" ? { colouring: "source" as const } : {}),
      ...(selected === undefined ? {} : { selected }),
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
  if (cycle === undefined || !Array.isArray(set) || !set.every((s) => typeof s === "string") || set.length > 64)
    return undefined
  const fingerprint = Reflect.get(given, "fingerprint")
  return { set, cycle, ...(typeof fingerprint === "string" ? { fingerprint } : {}) }
}

function selectedOf(given: unknown): Selected | undefined {
  if (typeof given !== "object" || given === null) return undefined
  const side = Reflect.get(given, "side")
  const kind = Reflect.get(given, "kind")
  if (side !== "A" && side !== "B") return undefined
  if (kind === "diagnosis") return { side, kind }
  if (kind === "channel" || kind === "router" || kind === "endpoint") {
    const number = whole(Reflect.get(given, "number"))
    return number === undefined ? undefined : { side, kind, number }
  }
  const [key, from, createdAt] = ["key", "from", "createdAt"].map((name) => Reflect.get(given, name))
  if (kind !== "packet" || !Number.isSafeInteger(key) || whole(from) === undefined || !Number.isFinite(createdAt))
    return undefined
  return { side, kind, key, from, createdAt }
}

function whole(n: unknown): number | undefined {
  return typeof n === "number" && Number.isSafeInteger(n) && n >= 0 ? n : undefined
}

/**
 * Returns all bytes of the stream; undefined if it fails or exceeds `most`, so a decompression bomb cannot fill the
 * memory.
 */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<BufferSource> },
  most: number,
): Promise<Uint8Array | undefined> {
  const writer = stream.writable.getWriter()
  // The reading side reports a broken stream.
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
