// CPU time of processes, in ms: user and system time of all threads.
import { readFileSync } from "node:fs"

/** ms of a unit of time in /proc */
const TICK = 10

/** CPU time of the child processes that have ended, and of theirs. Returns 0 where the system has no /proc. */
export function childrenCpu() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8")
    // The name is in brackets and may contain anything. Behind it, the times of children are words 13 and 14.
    const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return TICK * (Number(words[13]) + Number(words[14]))
  } catch {
    return 0
  }
}

/** CPU time of this process and of its children that have ended. */
export function usedCpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenCpu()
}

/** CPU time of a fixed loop, the least of five: compares machines, and a crowded machine with a quiet one. */
export function calibration() {
  const once = () => {
    const before = process.cpuUsage()
    let x = 1
    for (let i = 0; i < 3e7; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0
    const { user, system } = process.cpuUsage(before)
    return x === 0 ? 0 : (user + system) / 1000
  }
  return Math.min(...Array.from({ length: 5 }, once))
}
