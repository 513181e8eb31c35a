// Measures the effect of each quirk of CODES: the same run with the quirk on and off, as in the table of
// docs/architecture/parallel.md. Needs a build.
//   node scripts/codes-quirks.mjs [QUIRK …]

import { codesEntries } from "../dist/reproduce/peers/codes/experiments.js"
import { quirks } from "../dist/reproduce/peers/codes/network.js"
import { runOrder } from "../dist/reproduce/peers/codes/runs.js"

/** The runs in which each quirk is most visible. */
const where = {
  jitter: ["sf3k_adaptive_u0.5", "dfp3k_prog-adaptive_u0.5"],
  early: ["sf3k_adaptive_u0.9", "dfp3k_non-minimal-leaf_u0.5"],
  credits: ["sf3k_adaptive_u0.5", "dfd3k_prog-adaptive_u0.9"],
  propagation: ["dfd3k_minimal_u0.1", "dfd3k_prog-adaptive_u0.5"],
  endRate: ["fig3_r2_L0.5", "fig3_r8_L2.0"],
  select: ["ff3k_rand_adaptive_u0.5", "ff3k_rand_adaptive_u0.9"],
  vc0: ["sf3k_adaptive_u0.5", "sf3k_adaptive_u0.7"],
  order: ["sf3k_adaptive_u0.9", "dfp3k_non-minimal-leaf_u0.7"],
  phase: ["dfd3k_minimal_u0.1", "dfp3k_minimal_u0.3"],
}
const runs = new Map(codesEntries().map((e) => [e.id, e]))
const asked = process.argv.slice(2)
console.log(
  "| quirk | run | latency, us: on, off | accepted, GiB/s: on, off | detours: on, off |\n|---|---|---|---|---|",
)
for (const [quirk, ids] of Object.entries(where)) {
  if (asked.length > 0 && !asked.includes(quirk)) continue
  for (const id of ids) {
    const run = runs.get(id)
    if (run === undefined) throw new Error(`there is no run ${id}`)
    const [on] = await runOrder({ run, seeds: [1] })
    const [off] = await runOrder({ run, seeds: [1], off: new Set([quirk]) })
    const both = (key, digits) => `${on[key].toFixed(digits)}, ${off[key].toFixed(digits)}`
    const detours = run.routing.includes("adaptive") ? both("detours", 3) : ""
    console.log(
      `| \`${quirk}\`: ${quirks[quirk]} | ${id} | ${both("latency", 3)} | ${both("accepted", 2)} | ${detours} |`,
    )
  }
}
