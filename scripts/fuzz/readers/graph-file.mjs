// Fuzz target: link lists in every format, and tables of next hops.
import { Draws } from "../../../dist/core/rng.js"
import table from "../../../dist/routing/any/table.js"
import graph from "../../../dist/topologies/graph.js"
import mesh from "../../../dist/topologies/mesh.js"
import { graphForms } from "../../../dist/topologies/readers/read.js"
import { textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  "a b\nb c local 5\nc a\nend a 2\nrouter d\nd a\n",
  "from,to,count,class,latency\na,b,2,global,10\nb,c\n",
  '{"routers":[{"id":"a","endpoints":2},"b"],"links":[["a","b"],{"from":"b","to":"a","count":2}]}',
  '<graphml><key id="e" attr.name="endpoints"/><graph><node id="a"><data ' +
    'key="e">2</data></node><node id="b"/><edge source="a" target="b"/></graph></graphml>',
  "0 1 1\n1 0 1\n1 1 0\n",
  "0 1 1 0\n1 0 0\n0 2 2\n",
]
const square = mesh.make(mesh.params.parse({ sides: "2x2" }, "").ok)
const most = 5000

function read(bytes) {
  const site = { rng: new Draws(1), read: () => textOf(bytes) }
  for (const form of graphForms) {
    const p = graph.params.parse({ file: "f", form }, "").ok
    if (graph.check(p, site).length > 0) continue
    const made = graph.make(p, site)
    if (made.graph.chans < most) made.hops(0, made.graph.routers - 1)
  }
  const on = { ...site, topology: square, vcs: 2 }
  const p = table.params.parse({ file: "f" }, "").ok
  if (table.check(p, on).length === 0) table.make(p, on)
}

export default changedTexts(seeds, read)
