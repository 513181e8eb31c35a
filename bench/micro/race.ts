// Compares variants of one task; the chosen idiom is first. All variants must give the same result, so that none is
// faster by doing less.
import { Bench } from "tinybench"

/**
 * `work` is the number of units of one call, for the time per unit. A variant with `answers: false` may give a
 * different result (other random numbers).
 */
export async function race(
  title: string,
  work: number,
  variants: Readonly<Record<string, () => number>>,
  answers = true,
): Promise<void> {
  const names = Object.keys(variants)
  if (answers) {
    const first = variants[names[0]]()
    for (const name of names) {
      const got = variants[name]()
      if (got !== first) throw new Error(`${title}: "${name}" answers ${got}, "${names[0]}" ${first}`)
    }
  }
  const bench = new Bench({ time: 400, warmupTime: 150, iterations: 16, retainSamples: true })
  let sink = 0
  for (const name of names)
    bench.add(name, () => {
      sink += variants[name]()
    })
  await bench.run()
  console.log(`\n${title}`)
  let base = Number.NaN
  for (const task of bench.tasks) {
    const { result } = task
    if (result.state !== "completed") throw new Error(`${title}: ${task.name} did not complete`)
    const samples = result.latency.samples ?? []
    const at = (q: number): number => nanoseconds(samples[Math.floor(q * (samples.length - 1))], work)
    if (Number.isNaN(base)) base = at(0)
    const spread = `${at(0.25).toPrecision(3)} to ${at(0.75).toPrecision(3)}`
    console.log(
      `  ${task.name.padEnd(44)} ${at(0).toPrecision(3).padStart(7)} ns   ` +
        `${spread.padEnd(18)} ${(at(0) / base).toFixed(2).padStart(7)}x`,
    )
  }
  if (sink === 0.5) console.log("") // the sums are used, so the work cannot be optimised away
}

function nanoseconds(milliseconds: number, work: number): number {
  return (milliseconds * 1e6) / work
}
