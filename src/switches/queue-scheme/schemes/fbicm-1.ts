// The scheme `fbicm-1`: FBICM as first published. A line lists all destinations that the table sends to the congested
// output, and each Stop carries the whole line.
import type { SchemeFile } from "../scheme.ts"
import { keys, makeFbicm } from "./fbicm.ts"

export default { name: "fbicm-1", keys: [...keys, "stopList"], make: makeFbicm } satisfies SchemeFile
