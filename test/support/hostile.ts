// A folder as a stranger may send it: experiments, results and job folders in which everything that could be executed
// would leave a mark (a file named PWNED-…), and names that a shell would execute.
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import type { Asked } from "../../src/cluster/frozen.ts"
import { Job, type Round } from "../../src/cluster/job.ts"
import { clusterKeys } from "../../src/experiment/cluster/keys.ts"
import type { Plan } from "../../src/experiment/plan.ts"
import { Store } from "../../src/results/store.ts"
import { planned, recordOf } from "./cluster.ts"

/** For a shell: leaves a mark in the folder that it runs in. */
export const named = "$(touch PWNED-name)`touch PWNED-tick`;touch PWNED-word"

export interface Hostile {
  readonly dir: string
  /** job folders by what is wrong with them */
  readonly jobs: Readonly<Record<string, string>>
  readonly hashes: { readonly plugin: string; readonly plain: string; readonly module: string }
}

const network = "network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order }"
const measure = "measure: { warmup: 100cycles, window: 200cycles, limit: 500cycles, drain: none, saturation: never }"
const brief = `lacewing: 1\n${network}\n${measure}\n`

/** `bystander`: a process that no command may end. */
export async function hostileFolder(dir: string, bystander: number): Promise<Hostile> {
  const mark = (what: string) => join(dir, `PWNED-${what}`)
  const touch = (what: string) => `touch ${mark(what)}`
  const file = (name: string, text: string) => writeFileSync(join(dir, name), text)
  for (const folder of ["experiments/trap", "bin", "home"]) mkdirSync(join(dir, folder), { recursive: true })
  const commands = (what: string) =>
    Object.fromEntries(
      ["setup", "submit", "look", "cancel"]
        .map((key) => [key, touch(`${what}-${key}`)])
        .concat([["node", join(dir, "trap.sh")]]),
    )
  file("trap.sh", `#!/bin/sh\n${touch("node")}\n`)
  chmodSync(join(dir, "trap.sh"), 0o755)
  file("template.sh", `#!/bin/sh\n${touch("template")}\n{command}\n`)
  const write = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(mark("module"))}, "")`
  const module = `${write}\nexport default {}\n`
  file("trap.mjs", module)
  writeFileSync(join(dir, "experiments/trap/experiment.mjs"), module)
  const stream = `traffic: { name: ${JSON.stringify(named)}, pattern: uniform, load: 0.1 }\n`
  const cluster = `cluster: ${JSON.stringify({ ...commands("experiment"), template: "template.sh" })}\n`
  file("commands.yaml", `${brief}title: ${JSON.stringify(named)}\n${stream}${cluster}`)
  file("setup.yaml", `${brief}${stream}cluster: { setup: ${JSON.stringify(touch("agreed"))} }\n`)
  file("plugins.yaml", `${brief}${stream}plugins: [./trap.mjs]\n${cluster}`)
  file(
    "jobs.yaml",
    `${brief}jobs: [{ name: a, workload: { name: trace, file: ${JSON.stringify(`${named}.goal`)} } }]\n${cluster}`,
  )
  file(`${named}.goal`, "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\nrecv 8b from 0 tag 1\n}\n")
  file(`${named}.edges`, "0 1\n1 2\n2 0\n")
  file(`${named}.cfg`, "topology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\n")
  file("book.yaml", `base: by-length\nname: ${JSON.stringify(named)}\n`)
  file("goals.yaml", `levels: { ${JSON.stringify(named)}: { share: 1 } }\n`)

  const plan = planned(3)
  const hash = createHash("sha256").update(module).digest("hex")
  const withPlugins = {
    ...plan,
    runs: plan.runs.map((r) => ({ ...r, spec: { ...r.spec, plugins: [{ file: "./trap.mjs", hash }] } })),
  }
  const results = join(dir, "results", named)
  const store = await Store.open(results, { version: "0" })
  if ("bad" in store) throw new Error(store.bad[0].says)
  // one run of each kind, with names of their own
  await store.ok.add(recordOf(plan.runs[0]))
  const plugin = recordOf(withPlugins.runs[1])
  await store.ok.add(plugin)
  await store.ok.close()

  const keysOf = (raw: unknown) => {
    const got = clusterKeys.parse(raw, "")
    if ("bad" in got) throw new Error(got.bad[0].says)
    return got.ok
  }
  const jobs: Record<string, string> = {}
  const make = async (name: string, of: Plan, on: Asked["on"], cluster: unknown, id: string, piece: object = {}) => {
    const job = new Job(join(results, "jobs", `20260101-000000-${name}`))
    // `simulator`: older versions wrote it into the folder, and imported it
    const trap = { simulator: join(dir, "trap.mjs") }
    const asked: Asked = { on, cluster: keysOf(cluster), checkpoint: 600, audit: false, ...trap }
    const tasks = [{ runs: of.runs.map((_, i) => i), seconds: 1, megabytes: 1 }]
    const round = {
      number: 1,
      made: "2026-01-01T00:00:00.000Z",
      tasks,
      pieces: [{ name: `lacewing-${name}-1-1`, first: 1, count: 1, memory: 100, id, ...piece }],
    }
    const wrote = await job.make({ ...of, folder: dir }, asked, round as unknown as Round)
    if ("bad" in wrote) throw new Error(wrote.bad[0].says)
    jobs[name] = job.dir
  }
  const all = { ...commands("job"), template: join(dir, "template.sh") }
  await make("script", plan, "script", all, named)
  // no test runs its task
  await make("waiting", plan, "script", all, "77")
  await make("local", plan, "local", all, `${bystander}  ${hostname()}`)
  await make("slurm", plan, "slurm", { setup: touch("slurm-setup") }, "77")
  await make("plugins", withPlugins, "local", {}, `${bystander}  ${hostname()}`)
  await make("number", plan, "local", {}, "1", { first: `1; ${touch("number")}` })
  await make("name", plan, "slurm", {}, "77", { name: `x\n${touch("piece")}` })
  await make("memory", plan, "slurm", {}, "77", { memory: `1\n${touch("memory")}` })
  await make("option", plan, "slurm", {}, "--help")
  // a scheduler that knows nothing; and a browser
  for (const program of ["sbatch", "squeue", "scancel", "scontrol", "sacct", "sinfo", "xdg-open"]) {
    writeFileSync(join(dir, "bin", program), "#!/bin/sh\nexit 0\n")
    chmodSync(join(dir, "bin", program), 0o755)
  }
  return { dir, jobs, hashes: { plugin: plugin.hash, plain: plan.runs[0].hash, module: hash } }
}

/** Marks that something left, anywhere in the folder. */
export function marksIn({ dir }: Pick<Hostile, "dir">): string[] {
  const all = readdirSync(dir, { recursive: true, encoding: "utf8" }).map((f) => f.slice(f.lastIndexOf("/") + 1))
  return [...new Set(all.filter((f) => f.startsWith("PWNED-")))].sort()
}

export interface Created {
  readonly kind: "process" | "thread"
  readonly what: string
  readonly args: readonly string[]
}

export function createdIn(log: string): Created[] {
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1)
  return lines.map((line) => {
    const [kind, what, args] = JSON.parse(line) as [Created["kind"], string, string[]]
    return { kind, what, args }
  })
}
