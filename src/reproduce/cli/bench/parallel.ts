// lacewing bench parallel: measures the speed-up of several workers over one, on this machine.
import { Exit, exit, type Io } from "../../../cli/command.ts"

interface Options {
  readonly json?: boolean
  readonly match?: RegExp
  readonly workers?: number
  readonly time?: number
  readonly credit?: string
  readonly optimism?: string
}

export async function parallel(io: Io, o: Options): Promise<void> {
  const { benchParallel } = await import("../../peers/bench/parallel.ts")
  const { parallelNetworks } = await import("../../peers/bench/parallel-networks.ts")
  const { thisMachine } = await import("../../peers/bench/codes.ts")
  const out = (line: string) => {
    if (o.json !== true) io.out(line)
  }
  out(`${thisMachine()}; speed-up over one worker, then the time of each worker in % for work/messages/waiting`)
  const rows = benchParallel({
    ...(o.time !== undefined ? { us: o.time } : {}),
    ...(o.credit !== undefined ? { credit: o.credit } : {}),
    ...(o.optimism !== undefined ? { optimism: o.optimism } : {}),
    ...(o.workers !== undefined ? { most: o.workers } : {}),
    ...(o.match !== undefined ? { match: o.match } : {}),
    onNetwork: (n, us) => out(`${n.name}: ${n.about}, ${us} us`),
    onRow(r) {
      const undone =
        r.rollbacks === undefined
          ? ""
          : `, efficiency ${((r.efficiency ?? 1) * 100).toFixed(1)} %, ${r.rollbacks} rollbacks`
      const ready = r.workers > 1 ? `, threads ready after ${r.gather.toFixed(2)} s` : ""
      const cpu = `CPU ${r.cpuSeconds.toFixed(2)} s, CPU/wall ${(r.cpuSeconds / (r.seconds + r.gather)).toFixed(2)}`
      const differs = r.same ? "" : io.paint.red(" DIFFERS")
      out(
        `  ${r.mode.padEnd(14)} ${String(r.workers).padStart(3)}  ${r.seconds.toFixed(2)} s, ${r.speedUp.toFixed(2)}x, ${cpu}${ready}${undone}; ${r.fingerprint}${differs}`,
      )
      if (r.times !== undefined) {
        const share = (x: number) => ((100 * x) / r.seconds).toFixed(0)
        out(
          `${"".padEnd(22)}${r.times.map((t) => `${share(t.work)}/${share(t.messages)}/${share(t.waiting)}`).join(" ")}`,
        )
      }
    },
  })
  if (rows.length === 0)
    throw new Exit(
      exit.wrongInput,
      `No network and mode of the suite parallel matches ${o.match?.source}.\n  fix: write --match "${parallelNetworks.map((n) => n.name).join("|")}"`,
    )
  const same = rows.every((r) => r.same)
  if (o.json === true) io.out(JSON.stringify({ machine: thisMachine(), rows, same }))
  else out(`fingerprints ${same ? "equal" : "DIFFER"}`)
  if (!same) throw new Exit(exit.failed)
}
