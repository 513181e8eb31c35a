// Reads qos-policy.conf of OpenSM: the service level of each upper-layer protocol (section qos-ulps). Other sections do
// not change the tables of links and are ignored.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"

const MOST_SL = 15

/** Returns protocol, with its condition if it has one ("ipoib, pkey 0x0001") -> SL. */
export function readPolicy(text: string): Checked<Readonly<Record<string, number>>> {
  const bad: Complaint[] = []
  const names: Record<string, number> = {}
  let inside = false
  let seen = false
  for (const [i, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.replace(/#.*/, "").trim()
    if (line === "qos-ulps") {
      inside = true
      seen = true
    } else if (line === "end-qos-ulps") inside = false
    else if (inside && line !== "") {
      const [, name, sl] = /^(.*\S)\s*:\s*(\d+)$/.exec(line) ?? []
      if (name === undefined || Number(sl) > MOST_SL)
        bad.push(complain(`line ${i + 1}`, `"${line.slice(0, 60)}" is not a protocol and an SL`, "write ipoib : 1"))
      else names[name.replace(/\s+/g, " ")] = Number(sl)
    }
  }
  if (!seen) bad.push(complain("file", "The file has no section qos-ulps.", "name a qos-policy.conf of OpenSM"))
  return bad.length > 0 ? { bad } : { ok: names }
}
