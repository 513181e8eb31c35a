// @ts-check
// Reads traces in a text format: one flow per line, "source destination bytes start", with the start in nanoseconds.
// Lines that start with # are comments. Each flow becomes a send at its start time and a receive at its destination.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, complain }) =>
  plugin({
    kind: "trace",
    name: "my.flow-list",
    about: "Replays a list of flows: source, destination, bytes and start in nanoseconds.",
    example: { file: "small.flows" },
    sample: { "small.flows": "# source destination bytes start\n0 1 4096 0\n1 2 64 500\n2 0 1000 500\n" },
    make: () => ({
      read(files, ranks) {
        const flows = []
        for (const { name, bytes } of files)
          for (const [i, line] of new TextDecoder().decode(bytes).split("\n").entries()) {
            if (line.trim() === "" || line.startsWith("#")) continue
            const [source, destination, size, start] = line.trim().split(/\s+/).map(Number)
            const whole = [source, destination, size, start].every((n) => Number.isInteger(n) && n >= 0)
            if (!whole || source === destination)
              return {
                bad: [complain(`${name}, line ${i + 1}`, `is "${line}"`, "write: source destination bytes start")],
              }
            flows.push({ source, destination, size: Math.max(1, size), start })
          }
        flows.sort((a, b) => a.start - b.start)
        const most = flows.reduce((n, f) => Math.max(n, f.source + 1, f.destination + 1), 1)
        return { ok: { ranks: Math.max(most, ranks ?? 1), write: (rank, to) => write(flows, rank, to) } }
      },
    }),
  })

/** Writes one rank: all receives first, then its sends in order of time, then it waits for all of them. */
function write(flows, rank, to) {
  const open = []
  flows.forEach((f, i) => {
    if (f.destination === rank) to.irecv(f.source, f.size, i, open.push(open.length) - 1)
  })
  let now = 0
  flows.forEach((f, i) => {
    if (f.source !== rank) return
    if (f.start > now) to.compute((f.start - now) * 1000)
    now = Math.max(now, f.start)
    to.isend(f.destination, f.size, i, open.push(open.length) - 1)
  })
  to.wait(open)
}
