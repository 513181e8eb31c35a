// Attributes an exception to a custom plug-in. Modules are imported with the hash of their content in the URL, which
// appears in the stack. This costs nothing unless an exception occurs.
import { type Complaint, complain } from "../../core/complaint.ts"
import { UNDECLARED_READ } from "../../model/routing.ts"

/** Returns the address under which a module is imported, or its name in the studio. */
export function contentMark(href: string, hash: string): string {
  return `${href}?content=${hash}`
}

/** Returns a complaint if code of a custom plug-in was running; undefined if the error is a bug in lacewing. */
export function faultOf(e: unknown): Complaint | undefined {
  if (e instanceof Error && e.message.endsWith(UNDECLARED_READ))
    return complain(
      "network.routing.name",
      e.message,
      "remove adaptive: false from the routing, so that the switch keeps queue lengths",
    )
  const at = e instanceof Error ? /([^/\\()\s]+)\?content=[0-9a-f]{64}:(\d+):\d+/.exec(e.stack ?? "") : null
  if (at === null) return undefined
  return complain(
    "plugins",
    `${at[1]} throws in line ${at[2]}: ${told(e)}`,
    "repair the plug-in; `lacewing contract FILE` checks it separately",
  )
}

export function told(e: unknown): string {
  return e instanceof Error ? `${e.name}: ${e.message.split("\n")[0]}` : String(e)
}
