// Every command of the program on a hostile folder, with the creation of processes watched: nothing that a file names
// is executed without consent. Commands come from the program's own list: a new one fails here until it has a line.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, delimiter, join } from "node:path"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { commands } from "../src/cli/commands.ts"
import { experimentArgument } from "../src/cli/options.ts"
import { plainPaint } from "../src/terminal/paint.ts"
import { built, root } from "./support/build.ts"
import { type Created, createdIn, type Hostile, hostileFolder, marksIn, named } from "./support/hostile.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-consent-"))
const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore", detached: true })
let hostile: Hostile
let dist = ""
beforeAll(async () => {
  dist = built()
  hostile = await hostileFolder(dir, bystander.pid!)
})
afterAll(() => {
  bystander.kill("SIGKILL")
  rmSync(dir, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly text: string
  readonly processes: readonly Created[]
  readonly threads: readonly Created[]
}

let count = 0
/** Runs lacewing in the hostile folder. `until`: it is told to end when it has printed this. `ends`: it is ended when
 *  something left a mark. */
function lacewing(args: readonly string[], until?: RegExp, ends = true): Promise<Ended> {
  const log = join(dir, "home", `created-${++count}`)
  writeFileSync(log, "")
  const watch = join(root, "test/support/watch-processes.mjs")
  const env = {
    ...process.env,
    ...{ HOME: join(dir, "home"), XDG_CONFIG_HOME: join(dir, "home"), WATCHED_BY: log, NO_COLOR: "1" },
    PATH: `${join(dir, "bin")}${delimiter}${process.env["PATH"]}`,
  }
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--import", watch, join(dist, "app/main.js"), ...args], { cwd: dir, env })
    let text = ""
    const take = (data: Buffer) => {
      text += String(data)
      if (until?.test(text) === true) child.kill("SIGTERM")
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    // a command that got through may never end
    const endIfMarked = () => {
      if (ends && marksIn({ dir }).length > 0) child.kill("SIGKILL")
    }
    const look = setInterval(endIfMarked, 500)
    child.on("close", (code) => {
      clearInterval(look)
      const created = createdIn(log)
      const of = (kind: Created["kind"]) => created.filter((c) => c.kind === kind)
      done({ code, text, processes: of("process"), threads: of("thread") })
    })
  })
}

const results = join("results", named)
const ofJobs = (args: readonly string[], ...names: readonly string[]) =>
  names.map((name) => [...args, join(results, "jobs", `20260101-000000-${name}`)])
/** An experiment with commands as it is; one with plug-ins and one that is a module with --no-code. */
const experiments = (command: string, ...more: string[]) => [
  [command, "commands.yaml", ...more],
  ...["plugins.yaml", "trap"].map((file) => [command, file, "--no-code", ...more]),
]

/** What each command is called with. `(sub)` commands have lines of their own. */
const lines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  run: [
    ...experiments("run", "--out", "out", "--workers", "2"),
    ...["local", "script", "slurm"].map((where) => ["run", "commands.yaml", "--out", "on", "--on", where]),
    ["run", "commands.yaml", "--out", "on", "--on", "local", "--no-code"],
    ["run", "commands.yaml", "--out", "on", "--on", "script", "--no-code", "--allow-commands"],
    ["run", "setup.yaml", "--out", "on", "--on", "slurm", "--dry-run"],
    ["run", "plugins.yaml", "--out", "on", "--on", "local", "--no-code", "--allow-commands"],
  ],
  studio: [...["commands.yaml", "plugins.yaml", results].map((what) => ["studio", what, "--no-open"])],
  check: experiments("check", "--quick"),
  contract: [["contract", "plugins.yaml"]],
  route: experiments("route", "--from", "0", "--to", "1"),
  topology: [["topology", "graph", `file=${named}.edges`, "--prices", "book.yaml"]],
  cost: [["cost", "graph", `file=${named}.edges`, "--prices", "book.yaml"]],
  trace: [["trace", "convert", `${named}.goal`, "--out", `${named}.out`]],
  interference: [...experiments("interference"), ["interference", "jobs.yaml"]],
  qos: [["qos", "goals.yaml"]],
  arena: experiments("arena", "--seeds", "1", "--workers", "1"),
  shootout: [["shootout", "--dry-run", "--endpoints", "64", "--families", "mesh", "--prices", "book.yaml"]],
  list: [["list", "experiments"]],
  explain: [["explain", named]],
  manual: [["manual", named, "--no-open"]],
  report: [["report", results, "--export", "csv", "json", "svg"]],
  compare: [["compare", results, results]],
  sql: [["sql", results, "select * from runs"]],
  merge: [["merge", "merged", results]],
  sweeps: [
    ["sweeps"],
    ["sweeps", "--in", results, "--json"],
    ...ofJobs(["sweeps"], "script", "local", "slurm", "name"),
  ],
  "sweeps cancel": ofJobs(["sweeps", "cancel"], "script", "local", "slurm", "plugins", "number"),
  "sweeps resume": ofJobs(
    ["sweeps", "resume"],
    "script",
    "local",
    "slurm",
    "plugins",
    "number",
    "name",
    "memory",
    "option",
  ),
  task: ofJobs(["task"], "script", "plugins").map((args) => [...args, "1"]),
  reproduce: [["reproduce", "HASH-OF-PLUGIN", "--in", results]],
  paper: [["paper", named, "--papers", results]],
  init: [["init", join("new", `${named}.yaml`)]],
  import: [["import", "booksim2", `${named}.cfg`, "--out", `${named}.imported.yaml`]],
  validate: [["validate", named]],
  bench: [["bench", named]],
  schema: [["schema"]],
  completion: [["completion", "bash"]],
  doctor: [["doctor"]],
}

/** Programs that lacewing asks by their own name, and what it may tell them: nothing here comes from a folder but a
 *  name that was looked at. */
const own: Readonly<Record<string, RegExp>> = {
  doctor: /^(sbatch --version|scontrol show config|scontrol show partition .*|sinfo .*)$/,
  sweeps: /^squeue -h -r -t all -n lacewing-(slurm|memory|name|option)-1-1 -o %j\|%K\|%T\|%L\|%r$/,
  "sweeps cancel":
    /^(scancel --name=lacewing-slurm-1-1|squeue -h -r -t all -n lacewing-slurm-1-1 -o %j\|%K\|%T\|%L\|%r)$/,
}

/** The program's list, with the commands inside commands. */
async function registry(): Promise<Command[]> {
  const io = { out() {}, err() {}, raw() {}, paint: plainPaint, live: false, width: 100 }
  const all: Command[] = []
  for (const { name, load } of commands) {
    const command = new Command(name)
    ;(await load()).default(command, io)
    all.push(command, ...command.commands)
  }
  return all
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`
}

test("every command of the program has a line here", async () => {
  expect((await registry()).map(pathOf).sort()).toEqual(Object.keys(lines).sort())
})

test("every command that reads an experiment has --no-code", async () => {
  // the studio never executes code of an experiment; init writes one; contract takes modules alone
  const not = ["studio", "init", "contract"]
  const readers = (await registry()).filter((c) =>
    c.registeredArguments.some((a) => a.description === experimentArgument || a.name() === "experiment"),
  )
  const names = readers.map(pathOf).filter((name) => !not.includes(name))
  expect(names.sort()).toEqual(["arena", "check", "interference", "route", "run"])
  for (const c of readers.filter((c) => names.includes(pathOf(c))))
    expect(c.options.map((o) => o.long)).toContain("--no-code")
})

describe("without consent nothing is executed", () => {
  const total = { commands: 0, calls: 0, processes: 0, schedulers: 0 }
  test.each(Object.entries(lines))("%s", async (command, calls) => {
    for (const args of calls) {
      const given = args.map((a) => (a === "HASH-OF-PLUGIN" ? hostile.hashes.plugin : a))
      const got = await lacewing(given, command === "studio" ? /^http:\/\/127\.0\.0\.1/m : undefined)
      const called = got.processes.map((p) => [basename(p.what), ...p.args.slice(1)].join(" "))
      const strange = called.filter((line) => own[command]?.test(line) !== true)
      expect([args, strange, marksIn(hostile)]).toEqual([args, [], []])
      expect(got.threads.filter((t) => !t.what.includes("/dist/"))).toEqual([])
      expect([args, got.text]).toEqual([args, expect.not.stringContaining("bug in lacewing")])
      total.calls++
      total.processes += strange.length
      total.schedulers += called.length - strange.length
    }
    total.commands++
  })
  test("and no process of the user's is ended", () => {
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null])
    expect(total).toMatchObject({ commands: Object.keys(lines).length, processes: 0 })
    console.log(JSON.stringify(total))
  })
})

describe("with consent it is executed, so that the test can fail", () => {
  const fresh = async (args: readonly string[]) => {
    const got = await lacewing(args, undefined, false)
    const marks = marksIn(hostile)
    for (const mark of marks) rmSync(join(dir, mark), { force: true })
    return { ...got, marks }
  }
  /** The marks that these arguments leave; the message of a failure says how the command ended. */
  const marksOf = async (args: readonly string[], expected: readonly string[]) => {
    const got = await fresh(args)
    expect(got.marks, `exit code ${got.code}\n${got.text}`).toEqual(expected)
  }
  test("--allow-commands", async () => {
    const got = await fresh([
      "run",
      "setup.yaml",
      "--out",
      "agreed",
      "--on",
      "local",
      "--allow-commands",
      "--no-report",
      "--poll",
      "50ms",
    ])
    expect([got.code, got.marks, got.processes.length > 0]).toEqual([0, ["PWNED-agreed"], true])
  })
  test("a command on the command line, and one in the user's own configuration", async () => {
    const look = ["--poll-command", `touch ${join(dir, "PWNED-typed")}`]
    await marksOf(["sweeps", "--in", results, ...look], ["PWNED-typed"])
    writeFileSync(join(dir, "home/lacewing"), `cluster: { look: "touch ${join(dir, "PWNED-own")}" }\n`)
    await marksOf(["sweeps", "--in", results], ["PWNED-own"])
    rmSync(join(dir, "home/lacewing"))
  })
  test("an experiment's plug-ins without --no-code", async () => {
    await marksOf(["check", "plugins.yaml"], ["PWNED-module"])
  })
  test("a task's plug-ins whose content the command line names, and no others", async () => {
    const task = ["task", hostile.jobs["plugins"]!, "1", "--code"]
    await marksOf([...task, "0".repeat(64)], [])
    await marksOf([...task, hostile.hashes.module], ["PWNED-module"])
  })
  test("a recorded run's plug-ins with --code", async () => {
    expect((await fresh(["reproduce", hostile.hashes.plugin, "--in", results, "--code"])).threads).toHaveLength(1)
  })
})
