// Sweeps that are handed over, from the command line: to a script, to the background of this machine, to a Slurm that
// is made of shell scripts.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../../test/support/build.ts"
import { said } from "../../../test/support/cli.ts"
import { jobsIn } from "../../cluster/job.ts"
import { readResults } from "../../results/read.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-on-"))
const path = process.env["PATH"]
const at = (...names: string[]) => join(dir, ...names)
beforeAll(() => {
  built()
  process.env["XDG_CONFIG_HOME"] = at("config")
  writeFileSync(
    at("e.yaml"),
    `lacewing: 1
title: Ten points
network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order }
traffic: { pattern: uniform, load: 0.1 }
sweep: { traffic.load: { from: 0.05, to: 0.5, step: 0.05 } }
`,
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: of a shell
  writeFileSync(at("each.sh"), "#!/bin/sh\n# task {index} of {count}, ${HOME} stays\n{command}\n")
  writeFileSync(at("array.sh"), "#!/bin/sh\n{command}\n")
})
afterAll(() => {
  delete process.env["XDG_CONFIG_HOME"]
  rmSync(dir, { recursive: true, force: true })
})

const cli = (...args: string[]) => said(args)
const quick = ["--simulator", fakeSimulator, "--no-report"]
const polled = [...quick, "--quiet", "--poll", "50ms"]
const run = (out: string, ...more: string[]) => cli("run", at("e.yaml"), "--out", at(out), ...more)
const theJob = (out: string) => jobsIn(at(out)).at(-1)!

describe("a script of one's own", () => {
  let local = ""
  beforeAll(async () => {
    local = (await run("local", "--quiet", ...quick)).out
    expect(local).toContain("Ten points")
  })

  test("for each task, run by sh: the table of a run on this machine", async () => {
    // far less than the work of ten runs: two tasks
    const got = await run(
      "each",
      "--on",
      "script",
      "--template",
      at("each.sh"),
      "--per-task",
      "10ms",
      "--max-tasks",
      "2",
      ...polled,
    )
    expect([got.err, got.code]).toEqual(["", 0])
    expect(got.out).toBe(local)
    const job = theJob("each")
    const scripts = readdirSync(job.dir).filter((f) => f.endsWith(".sh"))
    expect(scripts).toHaveLength(job.rounds()[0].tasks.length)
    expect(readFileSync(join(job.dir, scripts[0]), "utf8")).toMatch(
      /^#!\/bin\/sh\n# task 1 of 1, \$\{HOME\} stays\nexec \S+ \S+main\.js task --simulator \S+ \S+ 1\n$/,
    )
    // nothing is to do any more, and nothing is handed over
    const again = await run("each", "--on", "script", "--template", at("each.sh"), ...polled)
    expect([again.out, jobsIn(at("each")).length]).toEqual([local, 1])
  })

  test("for all tasks of an array, handed over by a command", async () => {
    const array = "for i in $(seq {count}); do LACEWING_TASK=$i sh {script} >&2; done; echo Submitted as 77.server"
    const more = [
      "--per-task",
      "10ms",
      "--max-tasks",
      "2",
      "--poll-command",
      "false",
      "--setup",
      "export LACEWING_CPUS=1",
    ]
    const got = await run(
      "array",
      "--on",
      "script",
      "--template",
      at("array.sh"),
      "--submit-command",
      array,
      ...more,
      ...polled,
    )
    expect([got.err, got.code]).toEqual(["", 0])
    expect(got.out).toBe(local)
    expect(theJob("array").rounds()[0].pieces).toMatchObject([{ count: 2, id: "77.server" }])
  })

  test.each<[string, string[], RegExp]>([
    ["without a template", [], /cluster\.template: is missing/],
    ["with a template that is not there", ["--template", "/no/such"], /does not exist/],
    ["with a template that runs nothing", ["--template", at("e.yaml")], /has no \{command\}/],
    [
      "whose command fails",
      ["--template", at("each.sh"), "--submit-command", "echo no queue >&2; exit 4"],
      /cluster\.submit: .*no queue/,
    ],
    ["whose scripts fail", ["--template", at("each.sh"), "--node", "/no/node"], /ended before the start .*not found/],
  ])("%s: said, and nothing is left", async (name, more, says) => {
    const folder = name.replaceAll(" ", "-")
    const got = await run(folder, "--on", "script", ...more, ...polled)
    expect([got.code, got.out]).toEqual([2, ""])
    expect(got.err).toMatch(says)
    // before anything was handed over there is no folder either
    expect(existsSync(at(folder))).toBe(/fail/.test(name))
  })
})

describe("what changed since the plan was made: the first task refuses", () => {
  const changed = (what: string) => [
    "--on",
    "script",
    "--template",
    at("array.sh"),
    "--submit-command",
    `${what}; LACEWING_TASK=1 sh {script} >&2; true`,
    "--poll-command",
    "false",
  ]
  test("a file that runs read", async () => {
    writeFileSync(at("ring.edges"), "0 1\n1 2\n2 0\n")
    writeFileSync(
      at("file.yaml"),
      "lacewing: 1\nnetwork: { topology: { name: graph, file: ring.edges }, routing: any.shortest }\ntraffic: { pattern: uniform, load: 0.1 }\n",
    )
    const more = changed(`echo "0 2" >> ${at("ring.edges")}`)
    const got = await cli("run", at("file.yaml"), "--out", at("file"), ...more, ...polled)
    expect([got.code, got.out]).toEqual([2, ""])
    expect(got.err).toContain("ring.edges: The file has changed since the sweep was submitted.")
    // said before anything is handed over, where that is possible
    const again = await cli("sweeps", "resume", theJob("file").dir)
    expect([again.code, again.err.includes("has changed since the sweep was submitted")]).toEqual([2, true])
    // commands of the folder are not executed: this user gives them again
    expect([...again.err.matchAll(/^cluster\.\w+/gm)].map((m) => m[0])).toEqual(["cluster.template", "cluster.submit"])
    const given = await cli("sweeps", "resume", theJob("file").dir, ...more.slice(2))
    expect([
      given.code,
      given.err.includes("has changed since the sweep was submitted"),
      given.err.includes("cluster."),
    ]).toEqual([2, true, false])
  })
  test("the version", async () => {
    const what = `node ${at("older.mjs")} tasks.json`
    writeFileSync(
      at("older.mjs"),
      `import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
const text = readFileSync(process.argv[2], "utf8")
const body = text.slice(text.indexOf('"run":') + 6, -1).replace(/"version":"[^"]*"/, '"version":"0.0.1"')
writeFileSync(process.argv[2], '{"sha256":"' + createHash("sha256").update(body).digest("hex") + '","run":' + body + "}")
`,
    )
    const got = await run("version", ...changed(what), ...polled)
    expect([got.code, got.out]).toEqual([2, ""])
    expect(got.err).toMatch(/tasks\.json: The plan was made by lacewing 0\.0\.1, but this is/)
  })
})

test("in the background of this machine; jobs lists it, and shows its tasks", async () => {
  const got = await run("back", "--on", "local", ...polled)
  expect([got.err, got.code]).toEqual(["", 0])
  const { id } = theJob("back")
  const listed = JSON.parse((await cli("sweeps", "--in", at("back"), "--json")).out)
  expect(listed).toMatchObject([{ job: id, on: "local", state: "done", points: 10, stored: 10, lost: 0, waiting: 0 }])
  expect((await cli("sweeps", id.slice(-6), "--in", at("back"))).out).toMatch(
    /Ten points: sweep .*, done[\s\S]*1 +done +10\/10/,
  )
  const wrong = await cli("sweeps", "nope", "--in", at("back"))
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining(`There is no sweep "nope".\n  fix: choose one of ${id}`),
  ])
  const lost = await cli("task", at("nowhere"), "1")
  expect([lost.code, lost.err.includes("does not exist"), existsSync(at("nowhere"))]).toEqual([2, true, false])
  const read = await readResults(at("back"))
  expect("ok" in read && read.ok.records.length).toBe(10)
})

describe("Slurm", () => {
  /** Programs of a cluster, as shell scripts. */
  function cluster(name: string, programs: Readonly<Record<string, string>>): void {
    mkdirSync(at(name), { recursive: true })
    for (const [program, text] of Object.entries(programs)) {
      writeFileSync(at(name, program), `#!/bin/sh\n${text}\n`)
      chmodSync(at(name, program), 0o755)
    }
    process.env["PATH"] = `${at(name)}${delimiter}${path}`
  }
  const works = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of a shell
    sbatch: 'case "$1" in --version) echo slurm-wlm 22.05.8;; --test-only) cat > ${0%/*}/tested;; esac',
    scontrol:
      'case "$2" in config) echo "MaxArraySize = 1001";; *) echo "PartitionName=main Default=YES MaxTime=1:00:00 State=UP";; esac',
    sinfo: "echo main 4 8000",
    squeue: "exit 1",
  }
  afterAll(() => {
    process.env["PATH"] = path
  })

  test("--dry-run shows script, tasks, core hours and memory, asks sbatch, and leaves nothing", async () => {
    cluster("fine", works)
    const got = await run("dry", "--on", "slurm", "--dry-run", "--cpus", "2", "--time", "30min", ...quick)
    expect([got.code, got.err]).toEqual([0, "slurm accepts these tasks. Nothing was submitted.\n"])
    expect(got.out).toMatch(
      /^10 points in 1 task of up to .*time limit 30 min 0 s, with a signal 2 min 0 s before it\nabout \S+ core hours; 2 cores and \d+ MB per task/,
    )
    expect(got.out).toContain("#SBATCH --time=30\n")
    expect(readFileSync(at("fine", "tested"), "utf8")).toContain("#SBATCH --array=1-1\n")
    expect(existsSync(at("dry"))).toBe(false)
  })
  test("keys of the experiment and of the user's own file count, the nearest first", async () => {
    cluster("fine", works)
    mkdirSync(at("config"), { recursive: true })
    writeFileSync(at("config", "lacewing"), "cluster: { account: mine, cpus: 3, time: 20min }\n")
    writeFileSync(at("keys.yaml"), `${readFileSync(at("e.yaml"), "utf8")}cluster: { time: 40min, cpus: 2 }\n`)
    const got = await cli(
      "run",
      at("keys.yaml"),
      "--out",
      at("dry"),
      "--on",
      "slurm",
      "--dry-run",
      "--cpus",
      "4",
      "--json",
      ...quick,
    )
    rmSync(at("config"), { recursive: true })
    const script: string = JSON.parse(got.out).scripts[0]
    for (const option of ["--account=mine", "--time=40", "--cpus-per-task=4"])
      expect(script).toContain(`#SBATCH ${option}\n`)
  })
  test.each<[string, string[], boolean]>([
    ["without a word", [], false],
    ["with --allow-commands", ["--allow-commands"], true],
    ["with --allow-commands and --no-code", ["--allow-commands", "--no-code"], false],
    ["where the command line sets it", ["--set", "cluster.setup=module load mine"], true],
    ["where the command line gives another", ["--setup", "module load other", "--no-code"], true],
  ])("a command of the experiment, %s", async (_, more, may) => {
    cluster("fine", works)
    writeFileSync(
      at("setup.yaml"),
      `${readFileSync(at("e.yaml"), "utf8")}cluster: { setup: module load node, submit: not of Slurm }\n`,
    )
    const got = await cli("run", at("setup.yaml"), "--out", at("dry"), "--on", "slurm", "--dry-run", "--json", ...more)
    expect([got.code, /module load (node|mine|other)\\nexec/.test(got.out)]).toEqual(may ? [0, true] : [2, false])
    // nobody executes submit here
    if (!may) expect([...got.err.matchAll(/^cluster\.\w+/gm)].map((m) => m[0])).toEqual(["cluster.setup"])
  })
  test.each<[string, string[], RegExp]>([
    [
      "an unknown partition",
      ["--partition", "mian"],
      /cluster\.partition: There is no partition "mian"\.\n {2}fix: did you mean "main"/,
    ],
    ["more time than allowed", ["--time", "2h"], /cluster\.time: .*\n {2}fix: write at most 1 h 0 min/],
    [
      "more memory than there is",
      ["--mem", "9GiB"],
      /cluster\.mem: No node .* has 9216 MB\.\n {2}fix: write at most 8000M/,
    ],
    ["no time at all", ["--time", "soon"], /--time: expected a time of the wall clock/],
  ])("%s: refused before anything is handed over", async (_, more, says) => {
    cluster("fine", works)
    const got = await run("refused", "--on", "slurm", ...more, ...quick)
    expect([got.code, got.out]).toEqual([2, ""])
    expect(got.err).toMatch(says)
    expect(existsSync(at("refused"))).toBe(false)
  })
  test("no sbatch", async () => {
    process.env["PATH"] = at("nothing")
    const got = await run("refused", "--on", "slurm", ...quick)
    process.env["PATH"] = path
    expect([got.code, got.err]).toEqual([2, expect.stringContaining("sbatch: is not on this machine")])
    expect(existsSync(at("refused"))).toBe(false)
  })
  test("options that mean nothing are refused", async () => {
    expect((await run("refused", "--partition", "main")).err).toContain("--partition only applies to submitted runs.")
    const got = await run("refused", "--on", "slurm", "--force", "--workers", "2", "--shard", "1/2")
    expect([got.code, [...got.err.matchAll(/^--\w+/gm)].map((m) => m[0])]).toEqual([
      2,
      ["--shard", "--force", "--workers"],
    ])
  })
})
