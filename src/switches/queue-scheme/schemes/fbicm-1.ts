// FBICM as first published: a line lists all destinations that the table sends to the congested output, and every Stop carries the whole line.
import type { SchemeFile } from "../scheme.ts"
import { keys, makeFbicm } from "./fbicm.ts"

export default { name: "fbicm-1", keys: [...keys, "stopList"], make: makeFbicm } satisfies SchemeFile
