// A trace of an application together with background traffic, and a small trace to begin with.
export const trace = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: How long does the program take, alone and with background traffic?

network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  # the packet engine moves whole packets between endpoints: lacewing explain chunk
  switch: { name: chunk, bandwidth: 12.5GiB/s, vcs: 2 }
  endpoint: rails
engine: packet

jobs:
  # lacewing trace check ring.goal says what it holds; DUMPI, Chakra, OTF2 and others are read, too: docs/guide/traces.md
  - { name: program, workload: { name: trace, file: ring.goal }, placement: random }

# what else is on the network
traffic: { pattern: uniform, load: 0, packet: 512flits }

measure: { until: jobs, limit: 5ms }

seeds: 3

sweep:
  traffic.load: [0, 0.2, 0.4]
`

/** Eight ranks in a ring hand 64 KiB on, four times round, and compute 10 us between. */
export const ringGoal = ring(8, 4, 65536, 10_000)

function ring(ranks: number, laps: number, bytes: number, nanoseconds: number): string {
  const lines = [`num_ranks ${ranks}`]
  for (let r = 0; r < ranks; r++) {
    lines.push("", `rank ${r} {`)
    for (let i = 0; i < laps; i++) {
      const [left, right] = [(r + ranks - 1) % ranks, (r + 1) % ranks]
      lines.push(
        `c${i}: calc ${nanoseconds}`,
        `s${i}: send ${bytes}b to ${right} tag ${i}`,
        `r${i}: recv ${bytes}b from ${left} tag ${i}`,
      )
      lines.push(`s${i} requires c${i}`)
      if (i > 0) lines.push(`c${i} requires r${i - 1}`, `c${i} requires s${i - 1}`)
    }
    lines.push("}")
  }
  return `${lines.join("\n")}\n`
}
