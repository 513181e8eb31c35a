// Stress test of worker failures: makes workers of real runs fail and counts hangs. Every failure must end its run, and
// all of its threads, with the error of the worker that failed first.
//   npm run stress:failure -- --failures N [--seed S] [--processes P] [--dist FOLDER]
//   npm run stress:failure -- --seed S --only I      one failure again
// One failure in 32 is a whole run on 2 to 4 threads (all synchronisations of the packet engine, and the flit engine)
// in which a routing throws (stress/routing.mjs). The others use the same threads, barriers, messages and failures
// without a network (stress/bare.mjs), which starts ten times as fast. Seed and index select the failure. `--processes`
// failures run concurrently (default: twice the number of cores), so that threads lose their cores at any moment. This
// process is the watchdog: it counts a failure that exceeds its time limit as a hang, and kills it.
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"

const { values: o } = parseArgs({
  options: {
    failures: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    processes: { type: "string", default: String(2 * availableParallelism()) },
    patience: { type: "string", default: "120" },
    dist: { type: "string", default: fileURLToPath(new URL("../dist/", import.meta.url)) },
  },
})
/** Failures of one child process before the next process takes over. */
const BATCH = 100
const wanted = o.only === undefined ? Number(o.failures) : 1
if (!(wanted >= 1) || !(Number(o.processes) >= 1)) {
  console.error(
    "usage: npm run stress:failure -- --failures N [--seed S] [--processes P] [--patience SECONDS] [--only INDEX]",
  )
  process.exit(2)
}
const child = fileURLToPath(new URL("./stress/child.mjs", import.meta.url))
const dist = pathToFileURL(`${resolve(o.dist)}/`).href
const count = { failed: 0, finished: 0, hung: 0, wrong: 0 }
const kinds = {}
let next = Number(o.only ?? 0)

function note(line) {
  const key = `${line.engine} ${line.kind}`
  if (!line.failed) count.finished++
  else {
    count.failed++
    kinds[key] = (kinds[key] ?? 0) + 1
  }
  if (!line.right) {
    count.wrong++
    console.log(`WRONG ${JSON.stringify(line)}`)
  }
  if ((count.failed + count.finished) % 500 === 0) tell()
}

function tell() {
  console.log(
    `${count.failed} failures, ${count.hung} hangs, ${count.wrong} with another error, ` +
      `${count.finished} runs that ended before their failure`,
  )
}

/** Runs the failures from … to in a separate process. Returns the first one that was not started. */
function batch(from, to) {
  return new Promise((done) => {
    const process_ = spawn(process.execPath, [child, dist, o.seed, String(from), String(to)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let current
    let timer
    const kill = () => process_.kill("SIGKILL")
    const wind = () => {
      clearTimeout(timer)
      timer = setTimeout(kill, Number(o.patience) * 1000)
    }
    wind()
    createInterface({ input: process_.stdout }).on("line", (text) => {
      wind()
      const line = JSON.parse(text)
      if (line.begins) current = line
      else {
        current = undefined
        note(line)
      }
      if (o.only !== undefined) console.log(text)
    })
    process_.on("close", (code, signal) => {
      clearTimeout(timer)
      if (current !== undefined) {
        count.hung++
        console.log(`${signal === "SIGKILL" ? "HANG" : `ENDED (${signal ?? code})`} ${JSON.stringify(current)}`)
      } else if (code !== 0) {
        console.error(
          `the process of failures ${from} to ${to} ended with ${signal ?? code} before it made one; is there a build?`,
        )
        process.exit(1)
      }
      done(current === undefined ? to : current.index + 1)
    })
  })
}

async function lane() {
  while (count.failed + count.hung < wanted && count.wrong < 50) {
    const from = next
    const to =
      from +
      Math.min(BATCH, o.only === undefined ? Math.max(1, Math.ceil((wanted - count.failed) / Number(o.processes))) : 1)
    next = to
    for (let at = from; at < to; ) at = await batch(at, to)
    if (o.only !== undefined) return
  }
}
await Promise.all(Array.from({ length: o.only === undefined ? Number(o.processes) : 1 }, lane))
for (const [key, n] of Object.entries(kinds).sort()) console.log(`  ${key}: ${n}`)
tell()
process.exit(count.hung + count.wrong > 0 ? 1 : 0)
