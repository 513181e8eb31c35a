/** The numbers that a list such as 0-3, 7 names, or "all" of them; undefined: a part of it names none of 0 to count -
 *  1. */
export function membersOf(names: readonly (number | string)[], count: number): readonly number[] | undefined {
  const all: number[] = []
  for (const name of names) {
    const m =
      String(name).trim() === "all" ? ["", "0", String(count - 1)] : /^\s*(\d+)\s*(?:-\s*(\d+))?\s*$/.exec(String(name))
    const low = Number(m?.[1])
    const high = Number(m?.[2] ?? m?.[1])
    if (m === null || low > high || high >= count) return undefined
    for (let i = low; i <= high; i++) all.push(i)
  }
  return all
}
