// Tests of the commands that are sent to Slurm and of parsing its output. Programs are functions here; test/slurm has
// real ones.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type Granted, granted } from "../../experiment/cluster/granted.ts"
import { clusterKeys } from "../../experiment/cluster/keys.ts"
import { Job, type Piece } from "../job.ts"
import { type Answer, type Ask, ask, quoted } from "./command.ts"
import { slurmFindings } from "./findings.ts"
import { slurm, stateOf } from "./slurm.ts"

const out = mkdtempSync(join(tmpdir(), "lacewing-slurm-"))
afterAll(() => rmSync(out, { recursive: true, force: true }))

function keys(given: Record<string, unknown> = {}): Granted {
  const got = clusterKeys.parse(given, "cluster")
  const may = "bad" in got ? got : granted([{ from: "command line", keys: got.ok }])
  if ("bad" in may) throw new Error(may.bad[0].says)
  return may.ok
}
const yes = (text = ""): Answer => ({ code: 0, out: text, err: "", missing: false, late: false })
const no = (err: string): Answer => ({ code: 1, out: "", err, missing: false, late: false })
const absent: Answer = { code: undefined, out: "", err: "", missing: true, late: false }

const config = yes(
  "SLURM_VERSION           = 22.05.8\n" +
    "MaxArraySize            = 1001\n" +
    "AccountingStorageType   = accounting_storage/none\n",
)
const parts = yes(
  [
    "PartitionName=main AllowGroups=ALL AllowAccounts=ALL Default=YES MaxTime=08:00:00 Nodes=n[1-4] State=UP",
    "PartitionName=long AllowAccounts=physics,maths Default=NO MaxTime=UNLIMITED Nodes=n5 State=UP",
  ].join("\n"),
)
const sizes = yes("main 16 64000\nmain 8 128000\nlong 4 2000\n")

/** A cluster that answers by the beginning of the command line. */
function cluster(more: Readonly<Record<string, Answer>> = {}): { ask: Ask; calls: string[] } {
  const answers: Record<string, Answer> = {
    "sbatch --version": yes("slurm-wlm 22.05.8\n"),
    "sbatch --test-only": yes(),
    "scontrol show config": config,
    "scontrol show partition": parts,
    sinfo: sizes,
    ...more,
  }
  const calls: string[] = []
  return {
    calls,
    async ask(program, args) {
      const line = [program, ...args].join(" ")
      calls.push(line)
      const known = Object.keys(answers)
        .sort((a, b) => b.length - a.length)
        .find((k) => line.startsWith(k))
      return known === undefined ? absent : answers[known]
    },
  }
}
const piece: Piece = { name: "lacewing-j-1-1", first: 1001, count: 40, memory: 1000 }
const job = new Job(join(out, "r", "jobs", "j"))

describe("the batch script", () => {
  const lines = slurm(
    keys({ partition: "main", account: "physics", time: "90min", cpus: 4, setup: "module load node" }),
  )
    .script({ dir: "/shared/my results/jobs/j" }, piece)
    .split("\n")
  test("requests the given resources", () => {
    for (const option of [
      "--job-name=lacewing-j-1-1",
      "--array=1-40",
      "--partition=main",
      "--account=physics",
      "--cpus-per-task=4",
      "--mem=1000M",
      "--time=90",
    ])
      expect(lines).toContain(`#SBATCH ${option}`)
  })
  test("receives SIGTERM min(120 s, a quarter of the limit) before it, Node itself and not the shell", () => {
    expect(lines).toContain("#SBATCH --signal=B:TERM@120")
    expect(slurm(keys({ time: "4min" })).script(job, piece)).toContain("#SBATCH --signal=B:TERM@60\n")
    expect(lines.at(-2)).toMatch(
      /^exec node \S+main\.js task '\/shared\/my results\/jobs\/j' \$\(\(1000 \+ SLURM_ARRAY_TASK_ID\)\)$/,
    )
    expect(lines.at(-3)).toBe("module load node")
  })
  test("names the Node of this machine where nothing is set up, or the one that is given", () => {
    expect(slurm(keys()).script(job, piece)).toContain(`exec ${quoted(process.execPath)} `)
    expect(slurm(keys({ node: "/opt/node" })).script(job, piece)).toContain("exec /opt/node ")
  })
})

describe("obstacles are reported before anything is submitted", () => {
  const check = async (given: Record<string, unknown>, more: Readonly<Record<string, Answer>> = {}, memory = 1000) => {
    const at = cluster(more)
    const bad = await slurm(keys(given), at.ask).check(job, [{ ...piece, memory }])
    expect(at.calls.filter((c) => c.startsWith("sbatch --parsable"))).toEqual([])
    return bad
  }
  test("nothing", async () => expect(await check({})).toEqual([]))
  test.each<[string, Record<string, unknown>, Readonly<Record<string, Answer>>, number, string, RegExp, RegExp]>([
    ["no sbatch", {}, { "sbatch --version": absent }, 1, "sbatch", /is not on this machine/, /login node/],
    [
      "a controller that is gone",
      {},
      { "scontrol show config": no("slurm_load_ctl_conf error: Unable to contact slurm controller") },
      1,
      "slurm",
      /Unable to contact/,
      /scontrol ping/,
    ],
    [
      "an unknown partition",
      { partition: "mian" },
      {},
      1,
      "cluster.partition",
      /no partition "mian"/,
      /did you mean "main"/,
    ],
    ["more time than allowed", { time: "9h" }, {}, 1, "cluster.time", /9 h 0 min is more/, /at most 8 h 0 min/],
    [
      "another's partition",
      { partition: "long", account: "chemistry" },
      {},
      1,
      "cluster.account",
      /"chemistry" may not/,
      /physics, maths/,
    ],
    ["more cores than a node has", { cpus: 17 }, {}, 1, "cluster.cpus", /No node .* has 17/, /at most 16/],
    ["more memory than a node has", {}, {}, 129_000, "cluster.mem", /No node .* has 129000 MB/, /at most 128000M/],
    [
      "an account that accounting does not know",
      { account: "x" },
      {
        "sbatch --test-only": no(
          "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
        ),
      },
      1,
      "cluster.account",
      /^x: Invalid account/,
      /sacctmgr/,
    ],
    [
      "a limit that only Slurm knows",
      {},
      {
        "sbatch --test-only": no(
          "allocation failure: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
        ),
      },
      1,
      "cluster.account",
      /policy/,
      /./,
    ],
  ])("%s", async (_, given, more, memory, path, says, fix) => {
    const bad = await check(given, more, memory)
    expect(bad).toHaveLength(1)
    expect(bad[0].path).toBe(path)
    expect(bad[0].says).toMatch(says)
    expect(bad[0].fix).toMatch(fix)
  })
})

describe("submitting, polling, cancelling", () => {
  test("a name that is in the queue is not submitted again", async () => {
    const at = cluster({ "squeue -h -t all -n lacewing-j-1-1": yes("77\n77\n") })
    expect(await slurm(keys(), at.ask).submit(job, piece)).toEqual({ id: "77" })
    expect(at.calls).toHaveLength(1)
  })
  test.each<[string, Answer, unknown]>([
    ["is taken", yes("123;cluster\n"), { id: "123" }],
    [
      "may work later",
      no("sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying"),
      { unsure: expect.stringContaining("temporarily") },
    ],
    ["hangs", { ...absent, missing: false, late: true }, { unsure: "sbatch did not respond in time" }],
    ["succeeds without a number", yes("\n"), { unsure: expect.any(String) }],
    [
      "is refused",
      no("sbatch: error: Batch job submission failed: Invalid job array specification"),
      { bad: [{ path: "cluster.maxTasks", says: "Invalid job array specification", fix: expect.any(String) }] },
    ],
  ])("sbatch %s", async (_, answer, got) => {
    const at = cluster({ squeue: yes(), "sbatch --parsable": answer })
    expect(await slurm(keys(), at.ask).submit(job, piece)).toEqual(got)
  })
  test("without a response of squeue nothing is submitted", async () => {
    const at = cluster({ squeue: no("slurm_load_jobs error: Unable to contact slurm controller") })
    expect(await slurm(keys(), at.ask).submit(job, piece)).toEqual({ unsure: expect.stringMatching(/^squeue failed/) })
    expect(at.calls).toHaveLength(1)
  })
  test("rows of squeue become numbers of tasks", async () => {
    const rows = [
      "lacewing-j-1-1|1|RUNNING|1-00:00:10|None",
      "lacewing-j-1-1|3|PENDING|10:00|Resources",
      "lacewing-j-1-1|4|NODE_FAIL|INVALID|None",
      "other|2|RUNNING|1:00|x",
      "nonsense",
    ]
    const seen = await slurm(keys(), cluster({ squeue: yes(rows.join("\n")) }).ask).look(job, [piece])
    expect([...seen!]).toEqual([
      [1001, { state: "running", word: "RUNNING", reason: "", left: 86_410 }],
      [1003, { state: "waiting", word: "PENDING", reason: "Resources", left: 600 }],
      [1004, { state: "ended", word: "NODE_FAIL", reason: "" }],
    ])
    expect(await slurm(keys(), cluster({ squeue: no("") }).ask).look(job, [piece])).toBeUndefined()
    expect((await slurm(keys(), cluster({ squeue: yes() }).ask).look(job, [piece]))?.size).toBe(0)
  })
  test("rows of sacct likewise", async () => {
    const at = cluster({
      "scontrol show config": yes("AccountingStorageType = accounting_storage/slurmdbd\n"),
      sacct: yes("lacewing-j-1-1|9_2|CANCELLED by 0|0:15\n"),
    })
    const past = await slurm(keys(), at.ask).past!(job, [{ ...piece, id: "9" }])
    expect([...past!]).toEqual([[1002, { state: "ended", word: "CANCELLED by 0", reason: "exit code 0:15" }]])
  })
  test.each([
    ["PENDING", "waiting"],
    ["COMPLETING", "running"],
    ["CANCELLED by 0", "ended"],
    ["OUT_OF_MEMORY", "ended"],
    ["REQUEUED", "waiting"],
  ] as const)("%s is %s", (word, state) => {
    expect(stateOf(word)).toBe(state)
  })
})

describe("programs", () => {
  test("one that is not there, fails, hangs, or floods", async () => {
    expect(await ask("no-such-program-of-lacewing", [])).toMatchObject({ missing: true, code: undefined })
    expect(await ask("sh", ["-c", "echo a; echo b >&2; exit 3"])).toEqual({
      code: 3,
      out: "a\n",
      err: "b\n",
      missing: false,
      late: false,
    })
    expect(await ask("sh", ["-c", "echo begun; sleep 1000"], { patience: 0.3 })).toMatchObject({
      code: undefined,
      late: true,
      missing: false,
    })
    expect((await ask("cat", [], { input: "text" })).out).toBe("text")
  })
  test("words of a shell", async () => {
    const word = `it's "a" $HOME \\ \`b\` *`
    expect((await ask("sh", ["-c", `printf %s ${quoted(word)}`])).out).toBe(word)
  })
})

test("doctor shows Slurm, its version, partitions and limits", async () => {
  expect(await slurmFindings(cluster().ask)).toEqual([
    { name: "slurm", state: "ok", says: "slurm-wlm 22.05.8, arrays of up to 1000 tasks, without accounting" },
    {
      name: "slurm partition",
      state: "ok",
      says: "main (default): tasks of up to 8 h 0 min, nodes of up to 16 cores and 128000 MB",
    },
    { name: "slurm partition", state: "ok", says: "long: no time limit, nodes of up to 4 cores and 2000 MB" },
  ])
  expect((await slurmFindings(async () => absent))[0].says).toMatch(/^not found; only/)
  expect((await slurmFindings(cluster({ "scontrol show config": no("no controller") }).ask))[0].says).toBe(
    "slurm-wlm 22.05.8, but scontrol failed: no controller",
  )
})
