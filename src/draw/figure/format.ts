// Numbers for people.

/** Four significant digits, thousands set apart by a thin space, no exponent between 0.0001 and ten million. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "–"
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞"
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(3).replace("e+", "e").replace("-", "−")
  const digits = size >= 1000 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(size || 1)))
  const [whole, rest] = value.toFixed(Math.min(digits, 6)).split(".")
  const grouped = size >= 10_000 ? whole!.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole!
  const tail = rest?.replace(/0+$/, "") ?? ""
  return (tail === "" ? grouped : `${grouped}.${tail}`).replace("-", "−")
}

/** 12.34 ± 0.05: the interval decides the digits; one too narrow to be seen in four digits is left out. */
export function withInterval(value: number, half: number): string {
  if (!(half > 5e-5 * Math.abs(value)) || !Number.isFinite(value)) return shown(value)
  const digits = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(half))))
  return `${value.toFixed(digits)} ± ${half.toFixed(digits)}`
}

/** `network.routing.name` is "routing", `traffic.0.load` is "load". */
export function shortKey(key: string): string {
  const words = key.split(".").filter((w) => w !== "name" && !/^\d+$/.test(w))
  return words.at(-1) ?? key
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 120) return `${shown(Number(seconds.toPrecision(3)))} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
