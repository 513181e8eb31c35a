// What a packet run knows about the cause of its saturation: the utilisation of each channel in the window. The engine
// takes no samples of its queues, so only full links are decided.
import { linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import type { Evidence } from "../../measure/bottleneck/decide.ts"
import type { Outcome } from "../../measure/course.ts"

/** `channels`: [channel] -> flits that it sent in the window. */
export function evidenceOf(
  network: PacketNetwork,
  { channels, from, to }: Pick<Outcome, "from" | "to"> & { readonly channels: Uint32Array },
): Evidence {
  const { graph } = network.topology
  const { perByte } = linkTimes(network)
  const time = Math.max(1, to - from) * network.cycle
  return {
    far: graph.far,
    use: Float64Array.from(channels, (flits, c) => (flits * network.flit * perByte[c]) / time),
    sent: [],
    arrived: 0,
  }
}
