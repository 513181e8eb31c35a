// Names that every object has from its prototype. Written into a map they would change what other names mean, or
// vanish.
const names = ["__proto__", "constructor", "prototype"]

/** True for a key that data must not have. */
export function isPrototypeKey(key: string): boolean {
  return names.includes(key)
}
