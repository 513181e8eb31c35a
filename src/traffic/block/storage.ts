// The common part of the storage patterns: hosts and disks among the endpoints, and messages that are known before the
// run.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { End } from "../../model/ids.ts"
import type { Site } from "../../model/plugin.ts"
import type { Rng, Script, TrafficPattern } from "../../model/traffic.ts"
import { outside } from "../endpoint-lists.ts"
import { SILENT } from "../permutation.ts"

type Places = { readonly hosts: readonly End[]; readonly disks: readonly End[] }

export function hostsAndDisks({ hosts, disks }: Places, on: Site): Complaint[] {
  const bad = [...outside(hosts, on, "hosts"), ...outside(disks, on, "disks")]
  const both = disks.filter((d) => hosts.includes(d))
  if (both.length > 0) bad.push(complain("disks", `endpoint ${both[0]} is also a host`, "name other endpoints"))
  for (const [key, list] of [["hosts", hosts] as const, ["disks", disks] as const])
    if (new Set(list).size < list.length) bad.push(complain(key, "names an endpoint twice", "name each endpoint once"))
  return bad
}

/** Hosts are those that the load is about: the pattern as such sends from each of them to any disk. */
export class Storage implements TrafficPattern {
  readonly script: Script
  private readonly hosts: ReadonlySet<End>
  private readonly disks: readonly End[]
  constructor({ hosts, disks }: Places, script: Script) {
    this.hosts = new Set(hosts)
    this.disks = disks
    this.script = script
  }
  dest(from: End, rng: Rng): End {
    return this.hosts.has(from) ? this.disks[rng.below(this.disks.length)] : SILENT
  }
}
