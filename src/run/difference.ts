// Finds the first difference between two JSON values, by its path. A saved state is only resumed if its specification
// and layout are equal to those of the run.

/** Returns the first difference as "path is A in the saved state and B here", or undefined. */
export function differenceOf(saved: unknown, here: unknown, path: string): string | undefined {
  if (Object.is(saved, here)) return undefined
  if (!isObject(saved) || !isObject(here)) return `${path} is ${said(saved)} in the saved state and ${said(here)} here`
  const names = new Set([...Object.keys(saved), ...Object.keys(here)])
  for (const name of names) {
    const found = differenceOf(saved[name], here[name], path === "" ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Throws if the values differ. */
export function refuseOther(saved: unknown, here: unknown, path: string): void {
  const found = differenceOf(saved, here, path)
  if (found !== undefined) throw new Error(`${found}; continue with the settings of the saved run, or start again`)
}

function isObject(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null
}

function said(v: unknown): string {
  if (v === undefined) return "absent"
  const text = JSON.stringify(v)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
