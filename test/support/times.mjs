// The CPU time of each test file, recorded in test/times.json, and the check that no file doubles. CPU time depends on
// the machine and on its other work. All files of a run are therefore compared with the median file of this run.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { arch, availableParallelism, cpus, loadavg, platform } from "node:os"
import { calibration } from "./cpu.mjs"

const recorded = new URL("../times.json", import.meta.url)

/** A file may use twice its recorded time and this many seconds more: compilation moves between the files of a process. */
const ALLOWANCE = 5
/** Only files of at least this many seconds enter the median, and only a median of this many files is used. */
const LONG = 2
const ENOUGH = 8

/** Reads a log of record-cpu.ts: file -> seconds. The least counts if a file is there several times. */
export function readLog(path) {
  const times = {}
  for (const line of existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []) {
    const { file, ms } = JSON.parse(line)
    times[file] = Math.min(times[file] ?? Number.POSITIVE_INFINITY, ms / 1000)
  }
  return times
}

export function readTimes() {
  return existsSync(recorded) ? JSON.parse(readFileSync(recorded, "utf8")) : { files: {} }
}

/**
 * Compares the seconds of a run with the recorded ones. `factor`: the median ratio, or undefined if too few files are
 * known. `slow`: the files that use more than double, in relation to the factor.
 */
export function compare(used, files) {
  const ratios = Object.entries(used)
    .filter(([file]) => (files[file] ?? 0) >= LONG)
    .map(([file, seconds]) => seconds / files[file])
    .sort((a, b) => a - b)
  const unknown = Object.keys(used).filter((file) => files[file] === undefined)
  if (ratios.length < ENOUGH) return { factor: undefined, slow: [], unknown }
  const factor = ratios[ratios.length >> 1]
  const limit = (file) => factor * (2 * files[file] + ALLOWANCE)
  const slow = Object.keys(used).filter((file) => files[file] !== undefined && used[file] > limit(file))
  return { factor, slow, unknown }
}

/** Writes test/times.json. Files outside `used` keep their times if `partial`, scaled by the calibration loop. */
export function writeTimes(used, partial = false) {
  const loop = Math.round(10 * calibration()) / 10
  // The number of runnable threads tells a reader whether the machine was busy.
  const load = Math.round(loadavg()[0])
  const old = readTimes()
  const scale = partial && old.calibration !== undefined ? old.calibration / loop : 1
  const files = { ...(partial ? old.files : {}) }
  for (const [file, seconds] of Object.entries(used)) files[file] = Math.round(100 * seconds * scale) / 100
  const sorted = Object.fromEntries(
    Object.entries(files)
      .filter(([file]) => existsSync(new URL(`../../${file}`, import.meta.url)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const machine = `${cpus()[0]?.model.trim() ?? "unknown"}, ${availableParallelism()} cores, ${platform()} ${arch()}`
  const about = partial
    ? { machine: old.machine, load: old.load, node: old.node, date: old.date, calibration: old.calibration }
    : { machine, load, node: process.version, date: new Date().toISOString().slice(0, 10), calibration: loop }
  writeFileSync(recorded, `${JSON.stringify({ ...about, unit: "CPU seconds", files: sorted }, null, 2)}\n`)
}
