/** A duration for people: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?"
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`
}
