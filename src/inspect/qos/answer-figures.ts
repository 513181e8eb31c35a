// The answer of `lacewing qos --mix` as two figures: bandwidth and latency of each stream, and of a second
// configuration.
import type { BarsFigure } from "../../draw/figure/figure.ts"
import type { QosAnswer, StreamAnswer } from "./answer.ts"

type Value = readonly [name: string, of: (s: StreamAnswer) => number | null]

const bandwidth: readonly Value[] = [
  ["offered", (s) => s.offeredGBps],
  ["accepted", (s) => s.acceptedGBps],
  ["guaranteed", (s) => s.guaranteedGBps],
]
const latency: readonly Value[] = [
  ["mean", (s) => s.meanNs],
  ["p99", (s) => s.p99Ns],
  ["worst wait at a link", (s) => s.worstWaitNs],
]

export function answerFigures(answer: QosAnswer, other?: QosAnswer): BarsFigure[] {
  const caption = `Switch ${answer.switch}, links of ${answer.linkGBps} GB/s. A value without bound has no bar.`
  const figure = (id: string, title: string, label: string, values: readonly Value[]): BarsFigure => ({
    kind: "bars",
    id,
    title,
    caption,
    x: { label },
    bars: answer.streams.flatMap((s, i) =>
      values.flatMap((v) => [
        ...barsOf(s, v, other === undefined ? "" : ", before"),
        ...(other === undefined ? [] : barsOf(other.streams[i], v, ", after")),
      ]),
    ),
  })
  return [
    figure("bandwidth", "Bandwidth of each stream and endpoint", "GB/s", bandwidth),
    figure("latency", "Latency of each stream", "ns", latency),
  ]
}

function barsOf(s: StreamAnswer, [what, of]: Value, suffix: string): BarsFigure["bars"] {
  const value = of(s)
  const name = `${s.name}: ${what}${suffix}`
  return value === null || !Number.isFinite(value) ? [] : [{ name, value, facts: [["service level", s.sl]] }]
}
