// Whose mistake an exception is: modules with plug-ins are imported under the hash of their content, and that stands in the stack. Costs nothing while all is well.
import { type Complaint, complain } from "../../core/complaint.ts"
import { UNDECLARED_READ } from "../../model/routing.ts"

export function moduleUrl(href: string, hash: string): string {
  return `${href}?content=${hash}`
}

/** A complaint where code of a plug-in from outside was running; undefined where none was, and the mistake is ours. */
export function faultOf(e: unknown): Complaint | undefined {
  if (e instanceof Error && e.message.endsWith(UNDECLARED_READ))
    return complain("network.routing.name", e.message, "remove adaptive: false from the routing, so that the switch keeps queue lengths")
  const at = e instanceof Error ? /([^/\\()\s]+)\?content=[0-9a-f]{64}:(\d+):\d+/.exec(e.stack ?? "") : null
  if (at === null) return undefined
  return complain("plugins", `${at[1]} throws in line ${at[2]}: ${told(e)}`, "repair the plug-in; lacewing contract FILE looks at it alone")
}

export function told(e: unknown): string {
  return e instanceof Error ? `${e.name}: ${e.message.split("\n")[0]!}` : String(e)
}
