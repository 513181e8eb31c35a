// Small pieces of text that commands, reports and messages share.

/** Returns a number with its noun: "1 run", "2,000 runs". `more` is the plural if it is not the noun with an s. */
export function counted(n: number, one: string, more = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : more}`
}

/** Returns the reason why a run ended, as people read it. Version 0.1 stored `limit` as `cycles`. */
export function stopText(reason: string): string {
  if (reason === "cycles" || reason === "limit") return "limit reached"
  return reason === "waiting" ? "ranks hung" : reason
}
