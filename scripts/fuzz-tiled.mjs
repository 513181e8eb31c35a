// node scripts/fuzz-tiled.mjs [--count N] [--from N] [--seed N] [--cycles N]: random small dragonflies of tiled switches, each run for a while and then until
// it is empty by 1, 2 and 4 workers. Exit code 1 when something is lost, stuck, fails the audit or depends on the workers; the network is printed. A few of
// them are part of npm test (test/tiled/fuzz.test.ts).
import { parseArgs } from "node:util"
import { wrongWhenEmptied } from "../dist/peers/matrix/emptied.js"
import { stashingSpec } from "../dist/peers/matrix/stashing.js"

const text = (value) => ({ type: "string", default: value })
const { values } = parseArgs({ options: { count: text("100"), from: text("0"), seed: text("1"), cycles: text("800") } })
const [count, from, seed, cycles] = [values.count, values.from, values.seed, values.cycles].map(Number)
if (![count, from, seed, cycles].every(Number.isInteger)) {
  console.error("fuzz-tiled: --count, --from, --seed and --cycles are whole numbers")
  process.exit(2)
}
/** steps in which it must be empty */
const PATIENCE = 2000
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
