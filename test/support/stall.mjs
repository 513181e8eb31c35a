// Notices that a tree of processes has stopped: they used (almost) no CPU for a while. That is no time limit of a test,
// because a test that computes, or waits for its turn on a busy machine, uses some CPU. The decision is `Stall`; the
// rest reads process tables.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** share of the limit that may be CPU time: threads that poll, and the display of the tests, use a little even when
 *  nothing goes on */
const SHARE = 0.005

/** Decides from samples of CPU time. `limit`: ms (almost) without CPU use after which the tree counts as stalled. */
export class Stall {
  constructor(limit) {
    this.limit = limit
    this.since = undefined
    this.used = 0
    this.last = new Map()
  }

  /** `cpu`: process -> ms of CPU time used so far; `now`: ms. Returns the ms without CPU use once they reach the limit,
   *  else 0. */
  sample(cpu, now) {
    for (const [pid, ms] of cpu) this.used += Math.max(0, ms - (this.last.get(pid) ?? 0))
    this.last = cpu
    if (this.since === undefined || this.used > SHARE * this.limit) {
      this.since = now
      this.used = 0
    }
    const quiet = now - this.since
    return quiet >= this.limit ? quiet : 0
  }
}

/** The processes below `root` (without it), oldest first: [{ pid, parent, cpu }], CPU time in ms. Returns undefined
 *  where no process table can be read. */
export function treeOf(root, table = processTable()) {
  if (table === undefined) return undefined
  const below = new Set([root])
  const found = []
  for (let more = true; more; ) {
    more = false
    for (const p of table) {
      if (below.has(p.pid) || !below.has(p.parent)) continue
      below.add(p.pid)
      found.push(p)
      more = true
    }
  }
  return found
}

function processTable() {
  return process.platform === "linux" ? linuxTable() : psTable()
}

/** ms of the unit of times in /proc */
const TICK = 10

function linuxTable() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`)
      if (stat === undefined) return []
      // the name is in brackets and may contain anything; behind it: state, parent, ..., user and system time as words
      // 12 and 13
      const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return [{ pid: Number(pid), parent: Number(words[1]), cpu: TICK * (Number(words[11]) + Number(words[12])) }]
    })
}

function psTable() {
  const { status, stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,time="], { encoding: "utf8" })
  if (status !== 0) return undefined
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, time]) => ({ pid: Number(pid), parent: Number(parent), cpu: msOf(time) }))
}

/** ms of a time as ps writes it: [[days-]hours:]minutes:seconds. */
export function msOf(time) {
  const [days, clock] = time.includes("-") ? time.split("-") : ["0", time]
  return 1000 * clock.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) + 86_400_000 * Number(days)
}

/** What can be told of a process that stands still: its command, and where each of its threads waits. */
export function stateOf(pid) {
  if (process.platform !== "linux")
    return `process ${pid}: the state of its threads is not available on ${process.platform}`
  const command = (textOf(`/proc/${pid}/cmdline`) ?? "")
    .replace(/[\0\s]+/g, " ")
    .trim()
    .slice(0, 160)
  let threads = []
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return `process ${pid}: has ended`
  }
  const lines = threads.map((tid) => {
    const stat = textOf(`/proc/${pid}/task/${tid}/stat`) ?? ""
    const state = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0]
    const name = textOf(`/proc/${pid}/task/${tid}/comm`)?.trim() ?? "?"
    const waits = textOf(`/proc/${pid}/task/${tid}/wchan`) || "not readable"
    const stack = textOf(`/proc/${pid}/task/${tid}/stack`)?.trim().split("\n")[0]
    return `  thread ${tid} ${name}: state ${state}, waits in ${waits}${stack === undefined ? "" : `, stack ${stack}`}`
  })
  return [`process ${pid}: ${command}`, ...lines].join("\n")
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/** Watches the processes below `root` and calls `stalled` with a report once they have used no CPU for `limit` ms.
 *  Returns a function that stops the watch. `running`: names of the tests that run. */
export function watchTree(root, { limit, running, stalled }) {
  const stall = new Stall(limit)
  const timer = setInterval(
    () => {
      const tree = treeOf(root)
      if (tree === undefined) return clearInterval(timer)
      const quiet = stall.sample(new Map(tree.map((p) => [p.pid, p.cpu])), Date.now())
      if (quiet === 0) return
      clearInterval(timer)
      const files = running()
      stalled(
        [
          `STALLED: no process of the tests used the CPU for ${Math.round(quiet / 1000)} s.`,
          `Running: ${files.length === 0 ? "unknown" : files.join(", ")}`,
          ...tree.map((p) => stateOf(p.pid)),
        ].join("\n"),
        tree.map((p) => p.pid),
      )
    },
    Math.max(100, Math.min(5000, limit / 10)),
  )
  return () => clearInterval(timer)
}
