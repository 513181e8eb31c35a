// Ensures that one process at a time writes into a results folder, by a lock file that names its process. A lock left
// by a process that has ended is taken over. A heartbeat shows that a writer on another machine is alive.
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { type Checked, complain } from "../core/complaint.ts"
import { disk } from "./calls.ts"
import { codeOf, quietly, textOf, writeNew } from "./disk.ts"
import { parsed } from "./folder/folder.ts"
import { UNFINISHED } from "./folder/journal.ts"
import { isMap } from "./json.ts"

const NAME = "lock.json"
const MOST = 2 ** 16
const HEARTBEAT_MS = 15_000
/**
 * A writer on another machine cannot be checked for liveness. It counts as dead after this long without a heartbeat.
 */
const SILENT_MS = 10 * 60_000

type Holder = { readonly pid: number; readonly host: string; readonly since: string; readonly born: string }

const held = new Set<string>()

/** This process is writing into a results folder. */
export function holdsLock(): boolean {
  return held.size > 0
}

export interface Lock {
  release(): void
}

/** Takes the lock of `dir`, or says who has it. */
export function lock(dir: string): Checked<Lock> {
  const path = join(dir, NAME)
  const mine: Holder = { pid: disk.pid, host: hostname(), since: new Date().toISOString(), born: startTimeOf(disk.pid) }
  const text = JSON.stringify(mine)
  for (let attempts = 0; attempts < 5; attempts++) {
    if (create(path, text)) return { ok: hold(path, text) }
    const found = read(path)
    if (found === undefined) continue
    const refusal = alive(found, path)
    if (refusal !== undefined)
      return { bad: [complain(dir, refusal, "wait for it, stop it, or choose another folder with --out")] }
    removeStale(path, found.text)
  }
  return {
    bad: [
      complain(
        dir,
        "Several processes try to write to this folder at the same time.",
        "start them one after the other",
      ),
    ],
  }
}

/** For readers that take no lock: whether a process writes into `dir`, and the age of its last heartbeat in seconds. */
export function writerOf(dir: string): { readonly state: "none" | "alive" | "gone"; readonly silent: number } {
  const path = join(dir, NAME)
  const found = read(path)
  if (found === undefined) return { state: "none", silent: Infinity }
  return { state: alive(found, path) === undefined ? "gone" : "alive", silent: found.age / 1000 }
}

/** link() is atomic everywhere and fails when the name exists: the lock appears with its content or not at all. */
function create(path: string, text: string): boolean {
  const own = `${path}.${disk.pid}${UNFINISHED}`
  writeNew(own, text)
  try {
    disk.link(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  } finally {
    quietly(() => disk.remove(own))
  }
}

type Found = { readonly text: string; readonly holder: Holder | undefined; readonly age: number }

function read(path: string): Found | undefined {
  try {
    const text = textOf(path, MOST)
    return text === undefined
      ? undefined
      : { text, holder: parse(text), age: Math.abs(Date.now() - disk.changed(path)) }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

function parse(text: string): Holder | undefined {
  const raw = parsed(text)
  if (!isMap(raw) || typeof raw["pid"] !== "number" || typeof raw["host"] !== "string") return undefined
  // 0 and below mean groups of processes, which always exist
  if (!Number.isSafeInteger(raw["pid"]) || raw["pid"] <= 0) return undefined
  const { since, born } = raw
  return {
    pid: raw["pid"],
    host: raw["host"],
    since: typeof since === "string" ? since : "?",
    born: typeof born === "string" ? born : "",
  }
}

/** Why the lock must be respected; undefined when it is stale. */
function alive(found: Found, path: string): string | undefined {
  const { holder, age } = found
  if (holder === undefined)
    return age < SILENT_MS ? `The folder has a lock file that cannot be read (${path})` : undefined
  const who = `Process ${holder.pid} on ${holder.host} has been writing to this folder since ${holder.since}`
  if (holder.host !== hostname())
    return age < SILENT_MS ? `${who}, last seen ${Math.round(age / 1000)} s ago` : undefined
  return lives(holder.pid, holder.born) ? who : undefined
}

/**
 * Whether a process of this machine is alive. The system may have reused its number since; the start time then differs.
 */
export function lives(pid: number, startTime: string): boolean {
  if (!(pid > 0) || !exists(pid)) return false
  const born = startTimeOf(pid)
  return startTime === "" || born === "" || startTime === born
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/** Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat); "" where there is no /proc. */
export function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

/** Renames first and looks second, so that of two processes that judged the same lock stale only one removes it. */
function removeStale(path: string, judged: string): void {
  const away = `${path}.${disk.pid}.stale${UNFINISHED}`
  try {
    disk.rename(path, away)
    if (textOf(away, MOST) !== judged) disk.link(away, path)
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(codeOf(error) ?? "")) throw error
  } finally {
    quietly(() => disk.remove(away))
  }
}

/** Held until released, or until the process ends by an error, a closed pipe or a signal that has a handler. */
function hold(path: string, text: string): Lock {
  held.add(path)
  const beat = setInterval(() => {
    // the folder may have been removed under us: the next write says so
    quietly(() => disk.touch(path))
  }, HEARTBEAT_MS)
  beat.unref()
  const release = (): void => {
    clearInterval(beat)
    held.delete(path)
    process.off("exit", release)
    // a lock that cannot be removed now is one of a dead process soon
    quietly(() => {
      if (textOf(path, MOST) === text) disk.remove(path)
    })
  }
  process.on("exit", release)
  return { release }
}
