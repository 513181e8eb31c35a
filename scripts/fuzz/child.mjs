// A child process of a fuzz run. Its arguments are the file and name of a reader, the seed, the first index, the index
// after the last one, and a file for its progress. Further parts of the work follow: file, name, first index, end.
// Before each input it writes the number of the part and the index to the progress file, which survives a crash. It
// reports exceptions and continues with the next input.
import { openSync, writeSync } from "node:fs"
import { inputOf } from "./random.mjs"

const [file, name, seed, from, to, progress, ...more] = process.argv.slice(2)
const parts = [[file, name, from, to]]
for (let i = 0; i < more.length; i += 4) parts.push(more.slice(i, i + 4))
const fd = openSync(progress, "r+")
const state = Buffer.alloc(24)
const note = (part, index) => {
  state.writeDoubleLE(part, 0)
  state.writeDoubleLE(index, 8)
  writeSync(fd, state, 0, 24, 0)
}
for (const [part, [file, name, from, to]] of parts.entries()) {
  if (part > 0) note(part, -1)
  const { default: reader } = await import(file)
  const prepared = await reader.prepare()
  let failures = 0
  for (let index = Number(from); index < Number(to) && failures < 10; index++) {
    if (index % 64 === 0) state.writeDoubleLE(process.memoryUsage.rss(), 16)
    note(part, index)
    try {
      await reader.read(inputOf(seed, name, index), prepared)
    } catch (error) {
      failures++
      const why = (error?.stack ?? String(error)).split("\n").slice(0, 3).join(" | ")
      writeSync(1, `${JSON.stringify({ reader: name, index, why })}\n`)
    }
  }
}
