// Common parts of the fuzz targets: a small experiment, texts from bytes, and a plan whose networks are built only if
// they are small.

import { hostAt } from "../../dist/experiment/disk/host.js"
import { plan } from "../../dist/experiment/plan.js"
import { plainSource } from "../../dist/experiment/source.js"
import { estimateRun } from "../../dist/predict/estimate.js"
import { prepare } from "../../dist/run/simulate.js"
import { frames } from "../../dist/terminal/format-complaint.js"

const decoder = new TextDecoder("utf-8")
export const textOf = (bytes) => decoder.decode(bytes)

export const small = {
  lacewing: 1,
  network: { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" },
  traffic: { pattern: "uniform", load: 0.1, packet: "1flit" },
  measure: { warmup: "10cycles", window: "50cycles", limit: "100cycles" },
}

/** A host without files, because a fuzz run must not read files of this machine. */
const host = {
  read() {
    throw new Error("no files here")
  },
  memory: 64 * 2 ** 20,
}

/** Plans the experiment, formats every complaint, and builds the first network if its tables are small. */
export function planned(source, options = {}) {
  const got = plan({ source, host: hostAt("/nonexistent"), name: "fuzz" }, options)
  if ("bad" in got) {
    frames(got.bad)
    return
  }
  const run = got.ok.runs[0]
  if (run === undefined || estimateRun(run.spec).routers > 2000 || estimateRun(run.spec).ends > 20_000) return
  const made = prepare(run.spec, host)
  if ("bad" in made) frames(made.bad.map((c) => run.place(c)))
}

export const ofData = (value, options) => planned(plainSource("fuzz", value), options)

/** Returns the parsed JSON or undefined; the JSON parser is not under test. */
export function jsonOf(bytes) {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
}
