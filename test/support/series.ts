// Series with known properties, to try statistics on.
import { Draws } from "../../src/core/rng.ts"

/** Standard normal numbers (G. E. P. Box and M. E. Muller, 1958). */
export function normals(seed: number, n: number): Float64Array {
  const rng = new Draws(seed).at(11, 0)
  return Float64Array.from(
    { length: n },
    () => Math.sqrt(-2 * Math.log(rng.unit())) * Math.cos(2 * Math.PI * rng.unit()),
  )
}

/** x[i] = mean + phi (x[i-1] - mean) + noise, begun at `start` (default: its steady state). */
export function autoregressive(
  seed: number,
  n: number,
  phi: number,
  mean: number,
  noise = 1,
  start?: number,
): Float64Array {
  const e = normals(seed, n + 1)
  const x = new Float64Array(n)
  let off = start === undefined ? (e[n] * noise) / Math.sqrt(1 - phi * phi) : start - mean
  for (let i = 0; i < n; i++) {
    off = phi * off + noise * e[i]
    x[i] = mean + off
  }
  return x
}

/** One batch of a simulated queue: what a network's counters would say. */
export interface QueueBatch {
  readonly latency: number
  readonly offered: number
  readonly accepted: number
  readonly delivered: number
  readonly created: number
  readonly backlog: number
  readonly waiting: number
  readonly packets: number
}

/** `sources` independent queues with Bernoulli arrivals of probability `load / service` per cycle and a fixed service
 *  of `service` cycles (a discrete M/D/1), begun empty; batches of `length` cycles. Latency is from arrival to the end
 *  of service, counted in the batch of its end. Loads are fractions of the server. */
export function queues(
  seed: number,
  load: number,
  batches: number,
  length: number,
  sources = 16,
  service = 4,
): QueueBatch[] {
  const sum = new Float64Array(batches)
  const done = new Float64Array(batches)
  const came = new Float64Array(batches)
  const end = batches * length
  for (let s = 0; s < sources; s++) {
    const rng = new Draws(seed).at(s, 0)
    const scale = 1 / Math.log1p(-load / service)
    let free = 0
    for (let t = Math.floor(Math.log(rng.unit()) * scale); t < end; t += 1 + Math.floor(Math.log(rng.unit()) * scale)) {
      came[Math.floor(t / length)]++
      free = Math.max(free, t) + service
      if (free >= end) continue
      sum[Math.floor(free / length)] += free - t
      done[Math.floor(free / length)]++
    }
  }
  let backlog = 0
  const capacity = sources * length
  return Array.from(done, (count, b) => {
    backlog += came[b] - count
    return {
      latency: sum[b] / count,
      offered: (came[b] * service) / capacity,
      created: (came[b] * service) / capacity,
      accepted: (count * service) / capacity,
      delivered: (count * service) / capacity,
      backlog,
      waiting: backlog,
      packets: count,
    }
  })
}

/** `sources` independent queues that get bursts of `burst` customers at once, a coin in each cycle; fixed service of
 *  `service` cycles, begun empty. As `queues`, but skewed and correlated: the traffic on which intervals fail first. */
export function burstQueues(
  seed: number,
  load: number,
  batches: number,
  length: number,
  burst: number,
  sources = 4,
  service = 4,
): QueueBatch[] {
  const sum = new Float64Array(batches)
  const done = new Float64Array(batches)
  const end = batches * length
  for (let s = 0; s < sources; s++) {
    const rng = new Draws(seed).at(s, 0)
    const scale = 1 / Math.log1p(-load / (burst * service))
    let free = 0
    for (let t = Math.floor(Math.log(rng.unit()) * scale); t < end; t += 1 + Math.floor(Math.log(rng.unit()) * scale))
      for (let i = 0; i < burst; i++) {
        free = Math.max(free, t) + service
        if (free >= end) break
        sum[Math.floor(free / length)] += free - t
        done[Math.floor(free / length)]++
      }
  }
  const idle = { offered: load, created: load, accepted: load, delivered: load, backlog: 0, waiting: 0 }
  return Array.from(done, (packets, b) => ({
    latency: packets === 0 ? Number.NaN : sum[b] / packets,
    packets,
    ...idle,
  }))
}
