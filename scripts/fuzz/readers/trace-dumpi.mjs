// Fuzz target: DUMPI, a .meta file and the binary files of three ranks.
import { dumpiRing } from "../../../dist/reproduce/peers/bench/dumpi-ring.js"
import { traceReader } from "../traces.mjs"

const ranks = Object.fromEntries([0, 1, 2].map((r) => [`t-000${r}.bin`, dumpiRing(r, 3, 3)]))
export default traceReader({ "t.meta": "hostname=h\nnumprocs=3\nfileprefix=t\n", ...ranks })
