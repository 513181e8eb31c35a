// Fuzzes everything that reads files: feeds damaged and forged input, and checks that there is no exception, no hang
// and no excessive memory.
//   node scripts/fuzz.mjs --count N [--seed S] [--reader NAME] [--workers K]   N inputs in total, divided among the readers
//   node scripts/fuzz.mjs --reader NAME --seed S --only I                      repeats one input in this process
// A reader is a file in scripts/fuzz/readers/. `prepare()` creates the base of all inputs. `read(random, prepared)`
// creates one input from `random`, reads it, and throws if anything is wrong. Each input has separate random numbers
// (seed, reader, index), so it can be repeated. Inputs run in child processes, and this process is the watchdog. A hang
// is 2 s of CPU time on one input, or ten minutes without CPU time. Needs a build.
import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { inputOf } from "./fuzz/random.mjs"

const SILENT_SECONDS = 600
const MOST_MEGABYTES = 512
const PATIENCE = 20

const child = fileURLToPath(new URL("./fuzz/child.mjs", import.meta.url))
const { values: o } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    reader: { type: "string", multiple: true },
    workers: { type: "string", default: String(availableParallelism()) },
    only: { type: "string" },
    // For the test of the watchdog itself.
    readers: { type: "string", default: fileURLToPath(new URL("./fuzz/readers/", import.meta.url)) },
    hang: { type: "string", default: "2" },
  },
})
const folder = o.readers
const known = readdirSync(folder)
  .filter((f) => f.endsWith(".mjs"))
  .map((f) => f.slice(0, -4))
  .sort()
o.reader ??= known
const unknown = o.reader.filter((r) => !known.includes(r))
if (unknown.length > 0 || !(Number(o.count) >= 1) || !(Number(o.workers) >= 1)) {
  console.error(
    `usage: node scripts/fuzz.mjs --count N [--seed S] [--reader NAME] [--workers K]; readers: ${known.join(", ")}`,
  )
  process.exit(2)
}
if (o.only !== undefined) {
  for (const name of o.reader) {
    const { default: reader } = await import(join(folder, `${name}.mjs`))
    await reader.read(inputOf(o.seed, name, Number(o.only)), await reader.prepare())
  }
  console.log("nothing wrong with it")
  process.exit(0)
}

const scratch = mkdtempSync(join(tmpdir(), "lacewing-fuzz-"))
const each = Math.ceil(Number(o.count) / o.reader.length)
const parts = Math.max(1, Math.min(Number(o.workers), Math.floor(each / 500)))
const queue = o.reader.flatMap((reader) =>
  Array.from({ length: parts }, (_, p) => ({
    reader,
    from: Math.floor((each * p) / parts),
    to: Math.floor((each * (p + 1)) / parts),
  })),
)
const failures = []
const done = new Map(o.reader.map((r) => [r, 0]))
let largest = 0
const begun = Date.now()
await Promise.all(Array.from({ length: Number(o.workers) }, (_, i) => worker(join(scratch, String(i)))))
rmSync(scratch, { recursive: true, force: true })
for (const [reader, n] of done) console.log(`${reader}: ${n} inputs`)
for (const f of failures)
  console.log(
    `FAILED ${f.reader} ${f.index}: ${f.why}\n  node scripts/fuzz.mjs --reader ` +
      `${f.reader} --seed ${o.seed} --only ${f.index}`,
  )
const all = [...done.values()].reduce((a, b) => a + b, 0)
const seconds = ((Date.now() - begun) / 1000).toFixed(0)
console.log(
  `${all} inputs, seed ${o.seed}, ${failures.length} failures, at most ${Math.round(largest)} MB, ${seconds} s`,
)
process.exit(failures.length > 0 ? 1 : 0)

/** Takes parts of the work until none are left. */
async function worker(progress) {
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    for (let from = part.from; from < part.to && failures.length < PATIENCE; )
      from = await run({ ...part, from }, progress)
  }
}

/** Runs one child. Returns the index at which to continue: after the part, or after an input that ended the child. */
async function run({ reader, from, to }, progress) {
  closeSync(openSync(progress, "w"))
  const args = [
    "--max-old-space-size=256",
    child,
    join(folder, `${reader}.mjs`),
    reader,
    o.seed,
    String(from),
    String(to),
    progress,
  ]
  const running = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
  let [out, err, why] = ["", "", ""]
  running.stdout.on("data", (d) => (out += d))
  running.stderr.on("data", (d) => (err = `${err}${d}`.slice(-2000)))
  let last = { index: -1, cpu: 0, at: Date.now() }
  const look = setInterval(() => {
    const { index, cpu, megabytes } = stateOf(running.pid, progress)
    largest = Math.max(largest, megabytes)
    if (index !== last.index) last = { index, cpu, at: Date.now() }
    const silent = (Date.now() - last.at) / 1000
    if (megabytes > MOST_MEGABYTES) why = `${Math.round(megabytes)} MB`
    else if (index >= 0 && (cpu - last.cpu > Number(o.hang) || silent > SILENT_SECONDS)) why = "hangs"
    if (why !== "") running.kill("SIGKILL")
  }, 100)
  const status = await new Promise((ended) => running.on("close", (code, signal) => ended(code ?? signal)))
  clearInterval(look)
  for (const line of out.split("\n").filter((l) => l !== "")) failures.push({ reader, ...JSON.parse(line) })
  const { index } = stateOf(undefined, progress)
  const next = status === 0 ? to : Math.max(index, from) + 1
  done.set(reader, done.get(reader) + next - from)
  if (status !== 0)
    failures.push({
      reader,
      index: next - 1,
      why: why || `the process ends with ${status}: ${err.trim().split("\n").slice(-6).join(" | ")}`,
    })
  return next
}

/** Returns the index of the current input of a child (-1: none yet), its CPU seconds and its memory. */
function stateOf(pid, progress) {
  const bytes = Buffer.alloc(16)
  const fd = openSync(progress, "r")
  const index = readSync(fd, bytes, 0, 16, 0) === 16 ? bytes.readDoubleLE(0) : -1
  closeSync(fd)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // Fields 14, 15 and 24 of proc(5): user and system time in hundredths of a second, resident pages.
    return {
      index,
      cpu: (Number(fields[11]) + Number(fields[12])) / 100,
      megabytes: (Number(fields[21]) * 4096) / 2 ** 20,
    }
  } catch {
    return { index, cpu: 0, megabytes: bytes.readDoubleLE(8) / 2 ** 20 }
  }
}
