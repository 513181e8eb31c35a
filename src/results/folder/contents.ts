// What a results folder holds, for readers: from its manifest, or from the shards themselves when that is lost. Nothing
// is touched.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import type { Folder } from "./folder.ts"
import { type About, emptyManifest, manifestIn, type Shard } from "./manifest.ts"
import { findShards } from "./shard.ts"

export type Contents = {
  readonly about: About
  readonly version: string
  readonly shards: readonly Shard[]
  readonly manifest: boolean
  readonly said: readonly Complaint[]
}

export const leftOut = "repeat the same `lacewing run`, which repeats the lost runs; this command ignores them"

export function contentsOf(folder: Folder): Checked<Contents> {
  const manifest = manifestIn(folder)
  if ("bad" in manifest) return manifest
  if (typeof manifest.ok !== "string") {
    const { about, version, shards } = manifest.ok
    return { ok: { about, version, shards, manifest: true, said: [] } }
  }
  const { shards, damaged } = findShards(folder)
  const said = damaged.map((d) => damagedShard(folder.name, d.number, d.says))
  const { about, version } = emptyManifest("unknown", {})
  return { ok: { about, version, shards, manifest: false, said } }
}

export function damagedShard(name: string, number: number, says: string): Complaint {
  return complain(name, `shard ${number} is damaged: ${says}`, leftOut)
}
