// Fuzz target: --set key=value, one per line.
import { ofData, small, textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  "traffic.load=0.4\nnetwork.switch.vcs=4",
  "network.topology={name: mesh, sides: 4x4}\nnetwork.routing=mesh.dimension-order",
  "traffic.0.packet=8flits\nmeasure.limit=1kcycles\nsweep.traffic.load=[0.1, 0.2]",
  "traffic=[{load: 0.1}]\nseeds=3\ntraffic.1.load=0.1\nnetwork.routing.name=any.shortest",
]

function read(bytes) {
  ofData(small, { set: textOf(bytes).split("\n") })
}

export default changedTexts(seeds, read)
