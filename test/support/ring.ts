/** Next hops on a ring of n routers, all one way round: a file of the routing any.table that has no dateline. */
export function ringTable(n: number): string {
  const lines: string[] = []
  for (let at = 0; at < n; at++) for (let to = 0; to < n; to++) if (at !== to) lines.push(`${at} ${to} ${(at + 1) % n}`)
  return lines.join("\n")
}
