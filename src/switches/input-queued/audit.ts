// Credit audit of the input-queued router. For each VC, credits at the sender + flits in flight + flits in the
// downstream buffer + credits in flight must equal the capacity of the buffer. The audit recounts all of them from the
// timing wheels and the outboxes. `lacewing run --audit` and the tests call it between cycles.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { AnyColumns } from "../../fabric/flit.ts"
import { NOWHERE } from "../../fabric/layout.ts"
import type { IqSpec } from "./options.ts"

/** Returns the errors found in cycle t: credits of each VC, retained flits of each output, owners of VCs. */
export function auditCredits(spec: IqSpec, own: AnyColumns, t: number): Complaint[] {
  const { layout: l, packets: a, buffers } = spec
  const bad: Complaint[] = []
  // Flits by input VC and credits by output VC that are in flight, in wheels and outboxes.
  const flying = new Int32Array(l.NOV)
  const release = l.NOV + (l.ends << l.LV)
  const returning = new Int32Array(release + l.routers * l.PS)
  const { wheelMask, flitSlots, creditSlots } = spec.constants
  for (let s = 0; s < l.parts * (wheelMask + 1); s++) {
    for (let i = 0; i < a.flitCount[s]; i++) flying[a.flitAt[s * flitSlots + i]]++
    for (let i = 0; i < a.creditCount[s]; i++) returning[a.creditAt[s * creditSlots + i]]++
  }
  for (let box = 0; box < a.outCount.length; box++) {
    for (let i = 0, at = spec.boxFirst[box]; i < a.outCount[box]; i++, at += 3) {
      const id = a.outbox[at + 1]
      if (a.outbox[at] < 0) continue
      if (id >= 0) flying[id]++
      else returning[~id]++
    }
  }
  const cnt = own["cnt"]
  const check = (ov: number, into: number, where: string) => {
    const sum = buffers.credits[ov] + returning[ov] + (into >= 0 ? flying[into] + cnt[into] : 0)
    if (sum !== buffers.capacity[ov]) {
      const parts =
        `${buffers.credits[ov]} credits, ${into >= 0 ? flying[into] : 0} in flight, ` +
        `${into >= 0 ? cnt[into] : 0} stored, ${returning[ov]} returning`
      bad.push(
        complain(
          where,
          `cycle ${t}: ${parts}, in all ${sum} instead of ${buffers.capacity[ov]}`,
          "this is a bug in lacewing",
        ),
      )
    }
  }
  for (let port = 0; port < l.routers * l.PS; port++) {
    const d = l.down[port]
    if (d === NOWHERE) continue
    const r = l.outerRouter[Math.floor(port / l.PS)]
    for (let v = 0; v < l.vcs; v++)
      check((port << l.LV) + v, d >= 0 ? d + v : -1, `router ${r} port ${port % l.PS} vc ${v}`)
  }
  for (let e = 0; e < l.ends; e++) {
    if (l.outerEnd[e] < 0) continue
    for (let v = 0; v < l.vcs; v++) check(l.NOV + (e << l.LV) + v, l.entry[e] + v, `endpoint ${l.outerEnd[e]} vc ${v}`)
  }
  // The output buffers that retain flits for link-level retransmission.
  if (spec.retention > 0) {
    for (let port = 0; port < l.routers * l.PS; port++) {
      const sum = own["kept"][port] + returning[release + port]
      if (sum !== spec.retention)
        bad.push(
          complain(
            `port ${port}`,
            `cycle ${t}: output buffer of ${sum} flits instead of ${spec.retention}`,
            "this is a bug in lacewing",
          ),
        )
    }
  }
  bad.push(...auditOwners(spec, own, t))
  return bad
}

/** Checks ownership: an input VC and its output VC name each other, and an owned VC is not free. */
function auditOwners(spec: IqSpec, own: AnyColumns, t: number): Complaint[] {
  const { layout: l } = spec
  const bad: Complaint[] = []
  for (let iv = 0; iv < l.NOV; iv++) {
    const o = own["out"][iv]
    if (o === 0) continue
    const ov = iv - (iv % l.RS) + o - 1
    if (own["own"][ov] !== (iv % l.RS) + 1)
      bad.push(
        complain(
          `vc ${iv}`,
          `cycle ${t}: holds output VC ${ov}, which is held by ${own["own"][ov] - 1}`,
          "this is a bug in lacewing",
        ),
      )
    if ((own["freeVc"][ov >> l.LV] >>> (ov & ((1 << l.LV) - 1))) & 1)
      bad.push(complain(`vc ${ov}`, `cycle ${t}: is held and free`, "this is a bug in lacewing"))
  }
  return bad
}
