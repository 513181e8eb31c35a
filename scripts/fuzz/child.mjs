// A child process of a fuzz run. Before each input it writes the index to a small file that survives a crash. It
// reports exceptions and continues with the next input.
import { openSync, writeSync } from "node:fs"
import { inputOf } from "./random.mjs"

const [file, name, seed, from, to, progress] = process.argv.slice(2)
const { default: reader } = await import(file)
const prepared = await reader.prepare()
const fd = openSync(progress, "r+")
const state = Buffer.alloc(16)
let failures = 0
for (let index = Number(from); index < Number(to) && failures < 10; index++) {
  state.writeDoubleLE(index, 0)
  if (index % 64 === 0) state.writeDoubleLE(process.memoryUsage.rss(), 8)
  writeSync(fd, state, 0, 16, 0)
  try {
    await reader.read(inputOf(seed, name, index), prepared)
  } catch (error) {
    failures++
    const why = (error?.stack ?? String(error)).split("\n").slice(0, 3).join(" | ")
    writeSync(1, `${JSON.stringify({ index, why })}\n`)
  }
}
