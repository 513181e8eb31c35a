// npm run matrix -- --seconds N --seed N [--engine packet|input-queued|tiled|...] [--wide SHARE]: random configurations, each run in every mode and with several numbers
// of workers, until the time is over. Exit code 1 when a result depends on how it was run; then the seed and the least experiment that shows it
// are printed. The same matrix, with a fixed number of configurations, is part of npm test (test/twins/matrix.test.ts).
import { parseArgs } from "node:util"
import { engines, newTally, tryNumber } from "../dist/peers/matrix/matrix.js"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    engine: { type: "string" },
    /** the first configuration, to see one again */
    from: { type: "string", default: "0" },
    /** share of networks of more than 64 routers; npm test has none of them */
    wide: { type: "string", default: "0.1" },
  },
})
const [seconds, seed, from, wide] = [values.seconds, values.seed, values.from, values.wide].map(Number)
if (
  ![seconds, seed, from].every(Number.isInteger) ||
  !(wide >= 0 && wide <= 1) ||
  (values.engine !== undefined && !engines.includes(values.engine))
) {
  console.error(`matrix: --seconds, --seed and --from are whole numbers, --wide is a share, --engine is one of ${engines.join(", ")}`)
  process.exit(2)
}
const chosen = values.engine === undefined ? engines : [values.engine]
const tallies = new Map(chosen.map((engine) => [engine, newTally()]))
const end = performance.now() + 1000 * seconds
for (let number = from; performance.now() < end; number++)
  for (const [engine, tally] of tallies) {
    const known = tally.found.length
    await tryNumber(engine, number, { seed, threads: true, least: true, wide }, tally)
    for (const f of tally.found.slice(known)) {
      console.log(`\nDIFFERENCE: --engine ${engine} --seed ${seed} --from ${number} --wide ${wide}, ${f.way}`)
      console.log(f.says.slice(0, 10).join("\n"))
      console.log(`\n${f.yaml}`)
    }
  }
let differences = 0
for (const [engine, { tried, refused, runs, packets, found }] of tallies) {
  console.log(
    `${engine}: ${tried} configurations (${refused} refused by the plan), ${runs} runs, ${packets} packets measured, ${found.length} differences`,
  )
  differences += found.length
}
process.exit(differences > 0 ? 1 : 0)
