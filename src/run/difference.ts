// What tells two plain values apart, by the path of the first thing that differs: a saved state goes on only where all is the same.

/** The first difference, as "path is A in the saved state and B here". */
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

export function refuseOther(saved: unknown, here: unknown, path: string): void {
  const found = differenceOf(saved, here, path)
  if (found !== undefined) throw new Error(`${found}: go on with what it was saved under, or begin anew`)
}

function isObject(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null
}

function said(v: unknown): string {
  if (v === undefined) return "absent"
  const text = JSON.stringify(v)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
