// A process that goes on with runs which another one left: reads its order from standard input, one JSON object, and
// answers with another one.
//   { folder, legs: [{ name, spec, options, budgets }] }    budgets: of the steps of this leg; none: to the end
// The state of NAME is what lies in folder/NAME.bin, where there is one; a run that has not ended after its steps is
// left there again.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { open, prepare } from "../../dist/app/simulate.js"
import { packed, unpacked } from "../../dist/run/checkpoint.js"

const { folder, legs } = JSON.parse(await text(process.stdin))
const answer = {}
for (const { name, spec, options, budgets } of legs) {
  const prepared = prepare(spec, { read: (path) => `no file ${path}` })
  if ("bad" in prepared) throw new Error(`${name}: ${JSON.stringify(prepared.bad)}`)
  const file = join(folder, `${name}.bin`)
  const kept = existsSync(file) ? unpacked(name, readFileSync(file)) : undefined
  if (typeof kept === "string") throw new Error(`${name} ${kept}`)
  const run = await open(prepared.ok, options, kept?.saved)
  const ended = budgets === undefined ? toTheEnd(run) : budgets.some((budget) => run.step(budget))
  if (ended) answer[name] = { from: kept !== undefined, result: await run.result() }
  else {
    writeFileSync(file, packed(name, { saved: run.save(), workers: options.workers }, 0))
    await run.close()
    answer[name] = { from: kept !== undefined }
  }
}
console.log(JSON.stringify(answer))

function toTheEnd(run) {
  while (!run.step(Number.POSITIVE_INFINITY));
  return true
}
