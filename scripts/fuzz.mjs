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
// A process loads the program in a second: it takes few inputs of many readers, or many inputs of one.
const FEW = 500
const parts = Math.max(1, Math.min(Number(o.workers), Math.floor(each / FEW)))
const work = o.reader.flatMap((reader) =>
  Array.from({ length: parts }, (_, p) => ({
    reader,
    from: Math.floor((each * p) / parts),
    to: Math.floor((each * (p + 1)) / parts),
  })),
)
const queue = each < FEW ? dealt(work, Number(o.workers)) : work.map((part) => [part])
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

/** Deals the work to `hands` lists. */
function dealt(work, hands) {
  return Array.from({ length: hands }, (_, hand) => work.filter((_, i) => i % hands === hand)).filter(
    (l) => l.length > 0,
  )
}

/** Takes lists of parts until none are left. */
async function worker(progress) {
  for (let list = queue.shift(); list !== undefined; list = queue.shift()) {
    for (let rest = list; rest.length > 0 && failures.length < PATIENCE; ) rest = await run(rest, progress)
  }
}

/** Runs one child. Returns the parts that are left: those after an input that ended the child. */
async function run(list, progress) {
  closeSync(openSync(progress, "w"))
  const fileOf = (reader) => join(folder, `${reader}.mjs`)
  const [{ reader, from, to }, ...others] = list
  const args = [
    "--max-old-space-size=256",
    child,
    ...[fileOf(reader), reader, o.seed, String(from), String(to), progress],
    ...others.flatMap((part) => [fileOf(part.reader), part.reader, String(part.from), String(part.to)]),
  ]
  const running = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
  let [out, err, why] = ["", "", ""]
  running.stdout.on("data", (d) => (out += d))
  running.stderr.on("data", (d) => (err = `${err}${d}`.slice(-2000)))
  let last = { part: 0, index: -1, cpu: 0, at: Date.now() }
  const look = setInterval(() => {
    const { part, index, cpu, megabytes } = stateOf(running.pid, progress)
    largest = Math.max(largest, megabytes)
    if (part !== last.part || index !== last.index) last = { part, index, cpu, at: Date.now() }
    const silent = (Date.now() - last.at) / 1000
    if (megabytes > MOST_MEGABYTES) why = `${Math.round(megabytes)} MB`
    else if (index >= 0 && (cpu - last.cpu > Number(o.hang) || silent > SILENT_SECONDS)) why = "hangs"
    if (why !== "") running.kill("SIGKILL")
  }, 100)
  const status = await new Promise((ended) => running.on("close", (code, signal) => ended(code ?? signal)))
  clearInterval(look)
  for (const line of out.split("\n").filter((l) => l !== "")) failures.push(JSON.parse(line))
  const { part, index } = stateOf(undefined, progress)
  const ended = status === 0 ? list.length : part
  for (const { reader, from, to } of list.slice(0, ended)) done.set(reader, done.get(reader) + to - from)
  if (status === 0) return []
  const hurt = list[part]
  const next = Math.max(index, hurt.from) + 1
  done.set(hurt.reader, done.get(hurt.reader) + next - hurt.from)
  failures.push({
    reader: hurt.reader,
    index: next - 1,
    why: why || `the process ends with ${status}: ${err.trim().split("\n").slice(-6).join(" | ")}`,
  })
  return [...(next < hurt.to ? [{ ...hurt, from: next }] : []), ...list.slice(part + 1)]
}

/** Returns the part and the index of the current input of a child (-1: none yet), its CPU seconds and its memory. */
function stateOf(pid, progress) {
  const bytes = Buffer.alloc(24)
  const fd = openSync(progress, "r")
  const isThere = readSync(fd, bytes, 0, 24, 0) === 24
  const [part, index] = isThere ? [bytes.readDoubleLE(0), bytes.readDoubleLE(8)] : [0, -1]
  closeSync(fd)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // Fields 14, 15 and 24 of proc(5): user and system time in hundredths of a second, resident pages.
    return {
      part,
      index,
      cpu: (Number(fields[11]) + Number(fields[12])) / 100,
      megabytes: (Number(fields[21]) * 4096) / 2 ** 20,
    }
  } catch {
    return { part, index, cpu: 0, megabytes: bytes.readDoubleLE(16) / 2 ** 20 }
  }
}
