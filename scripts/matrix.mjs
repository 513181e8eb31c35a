// npm run matrix -- --seconds N --seed N [--engine packet|input-queued|tiled|...] [--wide SHARE] [--huge SHARE] Tests
// random configurations, each in every mode and with several numbers of workers, until the time is over. The exit code
// is 1 if a result depends on the mode; then the seed and a minimal experiment are printed. The same matrix with a
// fixed number of configurations is part of npm run test:all (test/twins/matrix.test.ts).
import { parseArgs } from "node:util"
import { engines, newTally, tryNumber } from "../dist/reproduce/peers/matrix/matrix.js"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    engine: { type: "string" },
    /** The first configuration, to repeat one. */
    from: { type: "string", default: "0" },
    /** Fraction of networks with more than 64 routers; the test has none. */
    wide: { type: "string", default: "0.1" },
    /** Fraction of networks with more than 1,000 routers. */
    huge: { type: "string", default: "0.01" },
  },
})
const [seconds, seed, from, wide, huge] = [values.seconds, values.seed, values.from, values.wide, values.huge].map(
  Number,
)
if (
  ![seconds, seed, from].every(Number.isInteger) ||
  !(wide >= 0 && wide <= 1 && huge >= 0 && huge <= 1) ||
  (values.engine !== undefined && !engines.includes(values.engine))
) {
  console.error(
    "matrix: --seconds, --seed and --from are whole numbers, --wide and --huge " +
      `are shares, --engine is one of ${engines.join(", ")}`,
  )
  process.exit(2)
}
const chosen = values.engine === undefined ? engines : [values.engine]
const tallies = new Map(chosen.map((engine) => [engine, newTally()]))
const end = performance.now() + 1000 * seconds
for (let number = from; performance.now() < end; number++)
  for (const [engine, tally] of tallies) {
    const known = tally.found.length
    await tryNumber(engine, number, { seed, threads: true, least: true, wide, huge }, tally)
    for (const f of tally.found.slice(known)) {
      console.log(
        `\nDIFFERENCE: --engine ${engine} --seed ${seed} --from ${number} --wide ${wide} --huge ${huge}, ${f.way}`,
      )
      console.log(f.says.slice(0, 10).join("\n"))
      console.log(`\n${f.yaml}`)
    }
  }
let differences = 0
for (const [engine, { tried, refused, runs, packets, huge: large, found }] of tallies) {
  console.log(
    `${engine}: ${tried} configurations (${large} of more than 1,000 routers, ${refused} refused by the ` +
      `plan), ${runs} runs, ${packets} packets measured, ${found.length} differences`,
  )
  differences += found.length
}
process.exit(differences > 0 ? 1 : 0)
