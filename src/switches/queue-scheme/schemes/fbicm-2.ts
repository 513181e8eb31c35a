// FBICM with short lists: a line lists the destinations that were found to be congested, a few at most; it is allocated at the sender once, kept up to date, and
// named by its number from then on.
import type { SchemeFile } from "../scheme.ts"
import { keys, makeFbicm } from "./fbicm.ts"

export default { name: "fbicm-2", keys: [...keys, "list", "answer"], make: makeFbicm } satisfies SchemeFile
