// Damages input: bytes as disks and networks damage them, and data as a malicious editor changes them.

/** Returns damaged bytes: bits flipped; bytes set, cut, doubled, overwritten or moved. */
export function mutateBytes(random, bytes) {
  let made = Uint8Array.from(bytes)
  for (let n = 1 + random.int(random.chance(0.6) ? 1 : 6); n > 0; n--) {
    const at = random.int(made.length)
    const length = 1 + random.int(random.chance(0.8) ? 16 : made.length)
    const part = made.slice(at, at + length)
    const kind = random.int(7)
    if (kind < 2 && made.length > 0) made[at] ^= 1 << random.int(8)
    else if (kind === 2)
      made.set(
        part.map(() => random.int(256)),
        at,
      )
    else if (kind === 3) made = made.slice(0, at)
    else if (kind === 4) made = joined(made.slice(0, at), made.slice(at + length))
    else if (kind === 5) made = joined(made.slice(0, at), part, made.slice(at))
    else made.set(made.slice(random.int(made.length), random.int(made.length)).subarray(0, made.length - at), at)
  }
  return made
}

function joined(...parts) {
  return new Uint8Array(Buffer.concat(parts))
}

const oddTexts = [
  "",
  "..",
  "../x",
  "/etc/passwd",
  "a/b",
  "\u0000",
  "__proto__",
  "constructor",
  "toString",
  "hash",
  "é".repeat(60),
  "x".repeat(300),
  "\ud800",
  "\u001b[2J",
  "NaN",
  "-0",
  "con",
]
const oddNumbers = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  5e-324,
]

export function oddValue(random, depth = 0) {
  const kind = random.int(depth > 2 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return random.chance(0.5)
  if (kind < 4) return random.pick(oddNumbers)
  if (kind === 4) return random.pick(oddTexts)
  if (kind === 5) return Array.from({ length: random.int(4) }, () => oddValue(random, depth + 1))
  if (kind === 6) return Object.fromEntries([[random.pick(oddTexts), oddValue(random, depth + 1)]])
  return deep(random.int(50))
}

function deep(levels) {
  let made = 1
  for (let i = 0; i < levels; i++) made = i % 2 === 0 ? [made] : { a: made }
  return made
}

/**
 * Returns a copy of data with one to four changes: a value replaced, a key removed, added or renamed, a list extended,
 * a number changed.
 */
export function mutateData(random, data) {
  const made = { root: structuredClone(data) }
  for (let n = 1 + random.int(random.chance(0.6) ? 1 : 4); n > 0; n--) {
    const places = []
    collect(made, places)
    const [holder, key] = random.pick(places)
    const value = holder[key]
    const kind = random.int(7)
    if (kind === 0 && holder !== made) {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
    } else if (kind === 1 && holder !== made && !Array.isArray(holder)) define(holder, random.pick(oddTexts), value)
    else if (kind === 2 && Array.isArray(value))
      value.push(value.length > 0 && random.chance(0.7) ? structuredClone(random.pick(value)) : oddValue(random))
    else if (kind === 3 && typeof value === "number") holder[key] = value + random.pick([-1, 1, 0.5, 1000])
    else if (kind === 4 && typeof value === "string")
      holder[key] = value.slice(0, random.int(value.length + 1)) + random.pick(oddTexts)
    else holder[key] = oddValue(random)
  }
  return made.root
}

/** Sets an own key, including "__proto__". */
function define(holder, key, value) {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function collect(holder, places) {
  if (places.length > 5000) return
  for (const key of Object.keys(holder)) {
    places.push([holder, key])
    if (typeof holder[key] === "object" && holder[key] !== null) collect(holder[key], places)
  }
}
