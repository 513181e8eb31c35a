// The suites of `lacewing bench` that compare with CODES and ROSS, and the common functions of suites with another
// simulator.
import { Exit, exit, type Io } from "../../../cli/command.ts"

interface Options {
  readonly json?: boolean
  readonly match?: RegExp
  readonly tries?: number
}

/** Calls `measure`. If the other simulator fails, the environment variable that names it is reported as the cause. */
export async function withPeer<T>(variable: string, wanted: string, measure: () => T | Promise<T>): Promise<T> {
  const { PeerFailed } = await import("../../peers/program.ts")
  try {
    return await measure()
  } catch (e) {
    if (!(e instanceof PeerFailed)) throw e
    const fix = `set ${variable} to ${wanted}, or skip configurations with --match`
    throw new Exit(exit.wrongInput, `${variable}=${process.env[variable]}: ${e.message}\n  fix: ${fix}`)
  }
}

/** Returns the first line: the compared simulator and the machine. */
function heading(recorded: string, here: string, variable: string, what: string): string {
  const peer = process.env[variable]
  return peer === undefined
    ? `Compared with recorded figures (${recorded}); this machine: ${here}. Set ${variable} to ${what} to measure both here`
    : `Compared with ${peer}, run alternately, on ${here}`
}

function machineOf(variable: string, recorded: string): string {
  return process.env[variable] === undefined ? recorded : "the same"
}

function sameAs(what: string, counts: { readonly here: number; readonly recorded: number } | undefined): string {
  if (counts === undefined) return ""
  return counts.here === counts.recorded
    ? `; its number of ${what} equals the recorded one`
    : `; its number of ${what} DIFFERS: ${counts.here}, recorded ${counts.recorded}`
}

export async function codes(io: Io, o: Options): Promise<void> {
  const { benchCodes, codesMachine, codesSummary, thisMachine } = await import("../../peers/bench/codes.ts")
  const folder = "the folder src of its build in its source tree"
  const tries = o.tries ?? 1
  if (o.json !== true)
    io.out(`${heading(codesMachine, thisMachine(), "CODES", folder)}. Chunk-hops per CPU second, best of ${tries}`)
  const rows = await withPeer("CODES", folder, () =>
    benchCodes({
      codes: process.env["CODES"],
      tries,
      ...(o.match !== undefined ? { match: o.match } : {}),
      onRow(r) {
        if (o.json === true) return
        const k = (x: number) => `${(x / 1e3).toFixed(0)} k/s`
        const memory = `${r.memory} MiB, CODES ${r.peerMemory} MiB`
        const long = r.long === undefined ? "" : `; over 400 us ${k(r.long.rate)}: ${r.long.ratio.toFixed(1)}x`
        io.out(
          `${r.name.padEnd(32)} ${k(r.rate)}, CODES ${k(r.peerRate)}: ${r.ratio.toFixed(1)}x${long}; ${memory}${sameAs("chunks", r.peerChunks)}`,
        )
      },
    }),
  )
  const { goal, all, goalLong, long } = codesSummary(rows)
  const memory = Math.max(...rows.map((r) => r.memory))
  if (o.json === true) {
    const { median, least } = all
    io.out(
      JSON.stringify({
        ...{ peerMachine: machineOf("CODES", codesMachine), machine: thisMachine(), tries, rows },
        ...{ goal, goalLong, median, least, long, memory },
      }),
    )
    return
  }
  const said = (what: string, r: typeof all | undefined) =>
    r === undefined ? "" : `${what} (${r.rows}): median ${r.median.toFixed(1)}x, minimum ${r.least.toFixed(1)}x; `
  io.out(
    `Over the simulated time of CODES: ${said("rows of 3,000 endpoints", goal)}${said("all rows", all)}at most ${memory} MiB`,
  )
  if (long !== undefined)
    io.out(
      `Over 400 us: ${said("rows of 3,000 endpoints", goalLong)}${said("all rows of one rail", long)}`.replace(
        /; $/,
        "",
      ),
    )
}

export async function phold(io: Io, o: Options): Promise<void> {
  const { benchPhold } = await import("../../peers/bench/phold.ts")
  const { codesMachine, thisMachine } = await import("../../peers/bench/codes.ts")
  const tries = o.tries ?? 1
  const program = "its program phold"
  if (o.json !== true) io.out(`${heading(codesMachine, thisMachine(), "ROSS", program)}. Best of ${tries}`)
  const rows = await withPeer("ROSS", program, () =>
    benchPhold({
      ross: process.env["ROSS"],
      tries,
      ...(o.match !== undefined ? { match: o.match } : {}),
      onRow(r) {
        if (o.json === true) return
        const m = (x: number) => `${(x / 1e6).toFixed(2)} M`
        io.out(
          `${r.name.padEnd(48)} ${m(r.rate)} events/s, ROSS ${m(r.peerRate)}: ${r.ratio.toFixed(1)}x${sameAs("events", r.peerEvents)}`,
        )
      },
    }),
  )
  const least = Math.min(...rows.map((r) => r.ratio))
  if (o.json === true)
    io.out(JSON.stringify({ peerMachine: machineOf("ROSS", codesMachine), machine: thisMachine(), tries, rows, least }))
  else io.out(`minimum ${least.toFixed(1)}x`)
}
