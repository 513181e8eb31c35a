// The scheme `fbicm-2`: FBICM with short lists. A line lists a few destinations that were found to be congested. It is
// allocated at the sender once, updated, and named by its number from then on.
import type { SchemeFile } from "../scheme.ts"
import { keys, makeFbicm } from "./fbicm.ts"

export default { name: "fbicm-2", keys: [...keys, "list", "allocateAck"], make: makeFbicm } satisfies SchemeFile
