/** A duration for people: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?"
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`
}

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, min: 60, h: 3600 }

/** Seconds of a time of the wall clock that is written with its unit: 500ms, 30s, 10min, 2h. Undefined if it is not, or
 *  is none. */
export function secondsOf(text: string): number | undefined {
  const m = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s|min|h)\s*$/.exec(text)
  const seconds = m === null ? 0 : Number(m[1]) * units[m[2]]
  return seconds > 0 ? seconds : undefined
}
