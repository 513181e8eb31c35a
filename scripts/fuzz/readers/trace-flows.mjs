// Fuzz target: lists of flows and matrices of bytes.
import { changedText, traceReader } from "../traces.mjs"

const seeds = {
  "a.cm": "Nodes 4\nConnections 2\n0->1 start 0 size 1000\n2->1 id 2 start 5000 size 2000\n",
  "b.csv": "src,dst,bytes,start_ns\n0,1,1000,0\n2,1,2000,5\n",
  "c.csv": "0,10,0\n5,7,0\n1,2,0\n",
}
const readers = Object.entries(seeds).map(([name, text]) => traceReader({ [name]: text }, changedText))
export default {
  prepare: () => readers.map((r) => r.prepare()),
  read: (random, prepared) => {
    const i = random.int(readers.length)
    return readers[i].read(random, prepared[i])
  },
}
