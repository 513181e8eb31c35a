// The link that opens a stored run in a hosted studio and plays it from cycle 0. Its fragment contains the experiment,
// so no data go to the server.
import { deflateRawSync } from "node:zlib"
import { canonical } from "../../core/canonical.ts"
import { packageVersion } from "../../experiment/identity/version.ts"
import { experimentOfRun, isShowable } from "../experiment-of-run.ts"
import type { RunRecord } from "../record.ts"
import { LINK_FORM, MOST_FRAGMENT } from "./format.ts"

/** `host`: the address of a studio. Returns undefined for a run that a link cannot contain. */
export function liveLink(host: string, { spec, point }: RunRecord, title: string): string | undefined {
  if (!isShowable(spec)) return undefined
  const name = [title, ...Object.entries(point).map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : v))].join(", ")
  const text = JSON.stringify({ title: name, ...experimentOfRun(spec) }, undefined, 2)
  const linked = {
    ...{ form: LINK_FORM, version: packageVersion, text, run: 0, cycle: 0, heat: "utilisation", fingerprint: "" },
  }
  const fragment = deflateRawSync(canonical(linked), { level: 9 }).toString("base64url")
  return fragment.length > MOST_FRAGMENT ? undefined : `${host.replace(/#.*$/, "")}#${fragment}`
}

/** Returns what is wrong with the address of a studio; undefined if nothing is. */
export function wrongHost(host: string): string | undefined {
  if (!URL.canParse(host)) return "expected an address such as https://example.org/studio/"
  return /^https?:$/.test(new URL(host).protocol)
    ? undefined
    : "expected an address that begins with https:// or http://"
}
