// Counts 65,536 latencies and computes the median.
import { BINS, bin, Histogram } from "../../src/core/histogram.ts"
import { draw, unit } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const latencies = Int32Array.from({ length: 65_536 }, (_, i) => 20 + Math.floor(-100 * Math.log(unit(draw(1, i)))))

await race(
  "count latencies, then the median (per latency)",
  latencies.length,
  {
    "log-linear bins": () => {
      const counts = new Uint32Array(BINS)
      for (let i = 0; i < latencies.length; i++) counts[bin(latencies[i])]++
      return new Histogram(counts).quantile(0.5)
    },
    "bins by Math.log": () => {
      const counts = new Uint32Array(4096)
      for (let i = 0; i < latencies.length; i++) counts[Math.floor(Math.log(latencies[i]) * 128)]++
      let below = 0
      let b = 0
      while ((below += counts[b]) < latencies.length / 2) b++
      return Math.exp(b / 128)
    },
    "Map from value to count": () => {
      const counts = new Map<number, number>()
      for (let i = 0; i < latencies.length; i++) counts.set(latencies[i], (counts.get(latencies[i]) ?? 0) + 1)
      let below = 0
      for (const [v, c] of [...counts].sort((a, b) => a[0] - b[0])) if ((below += c) >= latencies.length / 2) return v
      return 0
    },
    "keep all, sort": () => latencies.slice().sort()[latencies.length >> 1],
  },
  false,
)
