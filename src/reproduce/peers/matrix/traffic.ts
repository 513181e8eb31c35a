// Random streams of traffic and what is measured of them.

import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import type { MeasureSpec, Named, TrafficSpec } from "../../../model/experiment.ts"
import type { RandomConfig } from "./random-config.ts"

function pattern(d: RandomConfig, groups: boolean): Named {
  return d.pick<Named>([
    { name: "uniform" },
    { name: "uniform", self: true },
    { name: "random-permutation" },
    { name: "hotspot", targets: [d.int(0, 3)], share: d.pick([0.1, 0.5]), self: true },
    { name: "to-set", set: [0, 1, 3] },
    groups ? { name: "group-adversarial" } : { name: "uniform" },
  ])
}

function arrivals(d: RandomConfig): Named {
  return d.pick<Named>([
    { name: "bernoulli" },
    { name: "poisson" },
    { name: "poisson" },
    { name: "periodic" },
    { name: "burst", count: d.int(2, 5) },
    { name: "on-off", on: "200cycles" },
  ])
}

/** `sizes`: written sizes to choose from, rising; `drawn`: different packets in one stream. */
export function sizesOf(d: RandomConfig, sizes: readonly string[], drawn: boolean): Named {
  const [short, long] = [sizes[0], sizes[sizes.length - 1]]
  const fixed = { name: "fixed", size: d.pick(sizes) }
  if (!drawn || d.chance(0.4)) return fixed
  return d.pick<Named>([
    { name: "bimodal", short, long, share: d.pick([0.2, 0.5, 0.9]) },
    { name: "range", min: short, max: long },
    { name: "weighted", sizes, weights: sizes.map((_, i) => 1 + (i % 3)) },
  ])
}

export interface TrafficWish {
  readonly packets: readonly string[]
  readonly drawn: boolean
  /** messages of several packets */
  readonly messages: boolean
  readonly load: number
  readonly streams: number
  /** classes with separate VCs */
  readonly classes: number
  /** the network has groups */
  readonly groups: boolean
  /** end of the run, in cycles */
  readonly end: number
}

export function trafficOf(d: RandomConfig, w: TrafficWish): TrafficSpec[] {
  const load = Math.round((1000 * w.load) / w.streams) / 1000
  return Array.from({ length: w.streams }, (_, i) =>
    plainStream({
      name: `s${i}`,
      pattern: pattern(d, w.groups),
      arrivals: arrivals(d),
      packet: sizesOf(d, w.packets, w.drawn),
      message: w.messages
        ? sizesOf(d, ["1packets", "2packets", "5packets"], true)
        : { name: "fixed", size: "1packets" },
      load,
      ...(w.classes > 1 ? { class: i % w.classes } : {}),
      ...d.maybe(0.15, () => ({ start: `${d.int(1, Math.floor(w.end / 2))}cycles` })),
      ...d.maybe(0.15, () => ({ stop: `${d.int(Math.floor(w.end / 2), w.end)}cycles` })),
      ...d.maybe(0.15, () => ({ from: ["1-3"] })),
    }),
  )
}

export function measureOf(d: RandomConfig, end: number): MeasureSpec {
  const window = Math.floor((end * d.int(2, 8)) / 10)
  return plainMeasure({
    warmup: d.chance(0.8) ? `${end - window}cycles` : "auto",
    window: d.chance(0.8) ? `${window}cycles` : "auto",
    limit: `${end}cycles`,
    drain: d.pick(["none", "measured"]),
    saturation: d.pick(["early", "never"]),
    series: d.pick(["0cycles", "100cycles", "1000cycles"]),
  })
}

/** `more`: what not every engine has; one draw for all of these. */
export function probesOf(d: RandomConfig, more: readonly Named[]): Named[] {
  const probes: readonly (readonly Named[])[] = ["channels", "endpoints", "groups", "latency", "series"].map((name) => [
    { name },
  ])
  return [...probes, more].filter(() => d.chance(0.3)).flat()
}
