// Limits of a Slurm cluster: its version, the size of arrays, partitions with their limits. It also translates refusals
// of Slurm into complaints about keys of the experiment.
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import { duration } from "../../core/duration.ts"
import { type ClusterKeys, wallSeconds } from "../../experiment/cluster/keys.ts"
import { type Answer, type Ask, lastLines } from "./command.ts"

export interface Config {
  readonly version: string
  /** an array has tasks 0 to maxArray - 1 */
  readonly maxArray: number
  readonly accounting: boolean
}

export interface Partition {
  readonly name: string
  readonly isDefault: boolean
  readonly up: boolean
  /** seconds; Infinity: no limit */
  readonly time: number
  readonly accounts: readonly string[] | undefined
  readonly nodes: string
  /** the largest node in each dimension */
  readonly sizes: readonly { readonly cpus: number; readonly megabytes: number }[]
}

export function noAnswer(program: string, a: Answer): string {
  if (a.missing) return `${program} is not installed`
  if (a.late) return `${program} did not respond in time`
  return `${program} failed: ${lastLines(a.err || a.out, 1) || `exit code ${a.code}`}`
}

/** Parses `scontrol show config`. 1001 is Slurm's default of MaxArraySize. */
export function configOf(answer: Answer): Checked<Config> {
  if (answer.code !== 0)
    return {
      bad: [complain("slurm", noAnswer("scontrol", answer), "try again when the controller responds (scontrol ping)")],
    }
  const value = (key: string) => new RegExp(`^${key}\\s*=\\s*(.*?)\\s*$`, "m").exec(answer.out)?.[1]
  const max = Number(value("MaxArraySize"))
  const storage = value("AccountingStorageType") ?? "(null)"
  return {
    ok: {
      version: value("SLURM_VERSION") ?? "unknown",
      maxArray: Number.isInteger(max) && max > 1 ? max : 1001,
      accounting: !/none|null/.test(storage),
    },
  }
}

/** Parses `scontrol show partition` and the node sizes of `sinfo`. */
export async function partitions(run: Ask): Promise<Checked<readonly Partition[]>> {
  const told = await run("scontrol", ["show", "partition", "-o"])
  if (told.code !== 0)
    return {
      bad: [complain("slurm", noAnswer("scontrol", told), "try again when the controller responds (scontrol ping)")],
    }
  const sizes = await run("sinfo", ["-h", "-e", "-o", "%R %c %m"])
  const all = sizes.out.split("\n").map((l) => l.trim().split(/\s+/))
  return {
    ok: told.out
      .split("\n")
      .filter((l) => l.includes("PartitionName="))
      .map((line) => {
        const value = (key: string) => new RegExp(`(?:^|\\s)${key}=(\\S*)`).exec(line)?.[1] ?? ""
        const name = value("PartitionName")
        const accounts = value("AllowAccounts")
        return {
          name,
          isDefault: value("Default") === "YES",
          up: value("State") === "UP",
          time: secondsLeft(value("MaxTime")) ?? Infinity,
          accounts: accounts === "" || accounts === "ALL" ? undefined : accounts.split(","),
          nodes: value("Nodes"),
          sizes: all
            .filter(([of]) => of === name)
            .map(([, c, m]) => ({ cpus: Number.parseInt(c ?? "", 10), megabytes: Number.parseInt(m ?? "", 10) })),
        }
      }),
  }
}

/** Returns the seconds of `1-02:00:00` or `2:00`; undefined for UNLIMITED, INVALID and NOT_SET. */
export function secondsLeft(text: string): number | undefined {
  return text.includes(":") ? (wallSeconds(text) ?? 0) : undefined
}

/**
 * Returns complaints about settings that the partition does not allow. If it cannot be queried, sbatch will complain.
 */
export async function against(
  run: Ask,
  keys: ClusterKeys,
  asked: { readonly time: number; readonly cpus: number; readonly megabytes: number },
): Promise<Complaint[]> {
  const found = await partitions(run)
  if ("bad" in found) return [...found.bad]
  const names = found.ok.map((p) => p.name)
  const wanted = keys.partition?.split(",")
  const missing = wanted?.find((w) => !names.includes(w))
  if (missing !== undefined) {
    const near = nearest(missing, names)
    return [
      complain(
        "cluster.partition",
        `There is no partition "${missing}".`,
        near === undefined ? `choose one of ${names.join(", ")}` : `did you mean "${near}"?`,
      ),
    ]
  }
  // Slurm accepts a list of partitions; a limit is exceeded only if no partition of the list allows it.
  const possible = found.ok.filter((p) => (wanted === undefined ? p.isDefault : wanted.includes(p.name)))
  if (possible.length === 0)
    return [
      complain(
        "cluster.partition",
        "This cluster has no default partition, so --partition is required.",
        `choose one of ${names.join(", ")}`,
      ),
    ]
  const bad: Complaint[] = []
  const most = Math.max(...possible.map((p) => p.time))
  const where = possible.map((p) => p.name).join(", ")
  if (asked.time > most)
    bad.push(
      complain(
        "cluster.time",
        `${duration(asked.time)} is more than partition ${where} allows.`,
        `write at most ${duration(most)}; longer runs continue in further tasks`,
      ),
    )
  const { account } = keys
  if (account !== undefined && possible.every((p) => p.accounts !== undefined && !p.accounts.includes(account)))
    bad.push(
      complain(
        "cluster.account",
        `"${account}" may not use partition ${where}.`,
        `choose one of ${possible.flatMap((p) => p.accounts ?? []).join(", ")}`,
      ),
    )
  const sizes = possible.flatMap((p) => p.sizes).filter((s) => s.cpus > 0 && s.megabytes > 0)
  if (sizes.length > 0 && sizes.every((s) => s.cpus < asked.cpus))
    bad.push(
      complain(
        "cluster.cpus",
        `No node of partition ${where} has ${asked.cpus} cores.`,
        `write at most ${Math.max(...sizes.map((s) => s.cpus))}`,
      ),
    )
  if (sizes.length > 0 && sizes.every((s) => s.megabytes < asked.megabytes))
    bad.push(
      complain(
        "cluster.mem",
        `No node of partition ${where} has ${asked.megabytes} MB.`,
        `write at most ${Math.max(...sizes.map((s) => s.megabytes))}M`,
      ),
    )
  return bad
}

/** Patterns of refusals, with the key that each concerns and a fix. */
const words: readonly (readonly [RegExp, keyof ClusterKeys, string])[] = [
  [/account/i, "account", "`sacctmgr show associations user=$USER` lists those that you may use"],
  [/partition/i, "partition", "`sinfo` lists the partitions"],
  [/time limit/i, "time", "`scontrol show partition` shows the limits"],
  [/memory|node configuration|Requested node/i, "mem", "`sinfo -o '%P %c %m'` shows cores and memory of the nodes"],
  [/job array|array spec/i, "maxTasks", "`scontrol show config | grep MaxArraySize` shows how large an array may be"],
  [
    /submit limit|QOS|policy/i,
    "maxTasks",
    "submit fewer tasks at once, or contact the administrators of the cluster about the limits",
  ],
]

/** Returns a refusal of sbatch as a complaint about the key that it concerns. */
export function refusal(answer: Answer, keys: ClusterKeys): Complaint {
  const says =
    lastLines(answer.err || answer.out, 2).replace(
      /^(sbatch: )?(error: |allocation failure: )?(Batch job submission failed: )?/gim,
      "",
    ) || `exit code ${answer.code}`
  const known = words.find(([pattern]) => pattern.test(says))
  if (known === undefined) return complain("sbatch", says, "see the script with --dry-run")
  const value = keys[known[1]]
  return complain(`cluster.${known[1]}`, `${value === undefined ? "" : `${value}: `}${says}`, known[2])
}
