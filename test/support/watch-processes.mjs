// Loaded before the program (node --import): writes down every process and every thread that it creates, and lets it be
// created. A line of the file WATCHED_BY names: ["process" | "thread", program or file, arguments]
import { appendFileSync } from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"

const require = createRequire(import.meta.url)
const processes = require("node:child_process")
const threads = require("node:worker_threads")

const note = (kind, what, args = []) =>
  appendFileSync(process.env.WATCHED_BY, `${JSON.stringify([kind, String(what), args])}\n`)

// spawn, exec, execFile and fork all come here
const { spawn } = processes.ChildProcess.prototype
processes.ChildProcess.prototype.spawn = function (options) {
  note("process", options.file, options.args)
  return spawn.call(this, options)
}
for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const act = processes[name]
  processes[name] = (program, ...rest) => {
    note("process", program, Array.isArray(rest[0]) ? rest[0] : [])
    return act(program, ...rest)
  }
}
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    note("thread", options?.eval === true ? "a text" : file)
    super(file, options)
  }
}
syncBuiltinESMExports()
