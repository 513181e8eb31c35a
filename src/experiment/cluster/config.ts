// The user's settings, ~/.config/lacewing: a YAML file whose key `cluster` holds the default resources for a scheduler.
import { statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { parse as parseYaml } from "yaml"
import { type Checked, complain } from "../../core/complaint.ts"
import { unknownKeys } from "../../core/schema.ts"
import { kindOf } from "../../core/units.ts"
import { unreadable } from "../disk/system-error.ts"
import { readText } from "../disk/user-file.ts"
import { isMap } from "../fields.ts"
import { type ClusterKeys, clusterKeys } from "./keys.ts"

export function userConfig(env: Readonly<Record<string, string | undefined>> = process.env): Checked<ClusterKeys> {
  const given = env["XDG_CONFIG_HOME"]
  const at = join(given === undefined || given === "" ? join(homedir(), ".config") : given, "lacewing")
  const there = statSync(at, { throwIfNoEntry: false })
  const path = there?.isDirectory() === true ? join(at, "config.yaml") : at
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return clusterKeys.parse({}, "cluster")
  const refuse = (says: string, fix: string) => ({ bad: [complain(path, says, fix)] })
  let raw: unknown
  try {
    raw = parseYaml(readText(path, 2 ** 20), { logLevel: "error" })
  } catch (e) {
    const says =
      e instanceof Error && e.name === "YAMLParseError" ? `is no YAML: ${e.message.split("\n")[0]}` : unreadable(e)
    return refuse(says, "write for example cluster: { partition: main }")
  }
  if (raw === null || raw === undefined) return clusterKeys.parse({}, "cluster")
  if (!isMap(raw))
    return refuse(`expected a map of keys, found ${kindOf(raw)}`, "write for example cluster: { partition: main }")
  const got = clusterKeys.parse(raw["cluster"], "cluster")
  const bad = [...unknownKeys(raw, ["cluster"], ""), ...("bad" in got ? got.bad : [])]
  return bad.length > 0 || "bad" in got ? { bad: bad.map((c) => ({ ...c, path: `${path} ${c.path}` })) } : got
}
