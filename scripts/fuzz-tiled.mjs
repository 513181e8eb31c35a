// node scripts/fuzz-tiled.mjs [--count N] [--from N] [--seed N] [--cycles N] Simulates random small dragonflies of
// tiled switches for a while and then until they are empty, with 1, 2 and 4 workers. The exit code is 1 if a packet is
// lost or stuck, the audit fails, or the result depends on the number of workers; then the network is printed. A few of
// them are part of the tests (test/tiled/fuzz.test.ts).
import { parseArgs } from "node:util"
import { wrongWhenEmptied } from "../dist/inspect/contract/emptied.js"
import { stashingSpec } from "../dist/reproduce/peers/matrix/stashing.js"

const text = (value) => ({ type: "string", default: value })
const { values } = parseArgs({ options: { count: text("100"), from: text("0"), seed: text("1"), cycles: text("800") } })
const [count, from, seed, cycles] = [values.count, values.from, values.seed, values.cycles].map(Number)
if (![count, from, seed, cycles].every(Number.isInteger)) {
  console.error("fuzz-tiled: --count, --from, --seed and --cycles are whole numbers")
  process.exit(2)
}
/**
 * Maximum number of steps until the network must be empty. A hot endpoint whose packets are all repeated 50 times, with
 * links that lose messages, needed 4,300 of them, and was never stuck.
 */
const PATIENCE = 10_000
let refused = 0
let wrong = 0
for (let i = from; i < from + count; i++) {
  const spec = stashingSpec(seed, i)
  let says
  try {
    says = wrongWhenEmptied(spec, cycles, PATIENCE)
  } catch (e) {
    says = [e instanceof Error ? (e.stack ?? e.message) : String(e)]
  }
  if (says === undefined) refused++
  else if (says.length > 0) {
    wrong++
    console.log(`WRONG: --seed ${seed} --from ${i} --count 1\n${says.slice(0, 6).join("\n")}\n${JSON.stringify(spec)}`)
  }
}
const ran = count - refused
console.log(JSON.stringify({ seed, from, networks: ran, refused, runs: 3 * ran, wrong }))
process.exit(wrong > 0 ? 1 : 0)
