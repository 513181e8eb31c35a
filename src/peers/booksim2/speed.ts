// Flit-hops per user CPU second of BookSim2 (stock flags, one aarch64 core, median of three): what is compared with when its program is not at hand.
const recorded: Readonly<Record<string, number>> = {
  "speed-mesh8x8-p1-0.1": 220050,
  "speed-mesh8x8-p1-0.3": 245110,
  "speed-mesh8x8-p1-0.4": 246740,
  "speed-mesh8x8-p5-0.1": 353630,
  "speed-mesh8x8-p5-0.3": 351640,
  "speed-mesh8x8-p5-0.4": 290200,
  "speed-mesh32x32-p1-0.05": 94558,
  "speed-mesh32x32-p1-0.1": 109180,
  "speed-ff512-ugal-p1-0.1": 118230,
  "speed-ff512-ugal-p1-0.5": 102550,
  "speed-ff512-ugal-p1-0.8": 68513,
  "speed-df1056-min-p1-0.1": 108810,
  "speed-df1056-min-p1-0.5": 105350,
  "speed-df1056-min-p1-0.8": 91475,
  "speed-df1056-min-isp2-p10-0.1": 135800,
  "speed-df1056-min-isp2-p10-0.5": 174090,
  "speed-df1056-min-isp2-p10-0.8": 160260,
}

export function recordedSpeed(id: string): number {
  const speed = recorded[id]
  if (speed === undefined) throw new Error(`no recorded speed of ${id}`)
  return speed
}
