// Fuzz target: output of ibnetdiscover, and forwarding tables.
import { Draws } from "../../../dist/core/rng.js"
import { files } from "../../../dist/manual-pages/examples.js"
import lft from "../../../dist/routing/ibnetdiscover/lft.js"
import topology from "../../../dist/topologies/ibnetdiscover.js"
import { textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const site = (text) => ({ rng: new Draws(1), read: () => text })
const p = { file: "f" }
const pair = topology.make(p, site(files["fabric.net"]))

function read(bytes) {
  const on = site(textOf(bytes))
  if (topology.check(p, on).length === 0) topology.make(p, on).hops(0, 0)
  const routed = { ...on, topology: pair, vcs: 1 }
  if (lft.check(p, routed).length === 0) lft.make(p, routed)
}

export default changedTexts([files["fabric.net"], files["fabric.lft"]], read)
