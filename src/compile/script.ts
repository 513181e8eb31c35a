// Converts the messages of a trace pattern to cycles and packets of a run. Time is compressed until the senders offer
// the requested load. streams.ts calls it.
import { type Complaint, complain } from "../core/complaint.ts"
import type { Scale } from "../core/units.ts"
import type { RunSpec, TrafficSpec } from "../model/experiment.ts"
import type { Stream } from "../model/stream.ts"
import type { Script, Sizes } from "../model/traffic.ts"

/** Relative tolerance for loads that are written with fewer digits. */
const NEAR = 0.01

/** Returns the script of a stream, or undefined after complaints about keys that contradict the trace. */
export function scriptOf(
  script: Script,
  t: TrafficSpec,
  path: string,
  spec: Pick<RunSpec, "engine">,
  { packet, message }: { readonly packet: Sizes; readonly message: Sizes },
  scale: Scale,
  senders: Uint8Array | undefined,
  bad: Complaint[],
): Stream["script"] {
  const before = bad.length
  const says = `${t.pattern.name} says who sends what and when`
  if (t.arrivals.name !== "bernoulli") bad.push(complain(`${path}.arrivals`, says, "leave it out"))
  if (message.fixed !== 1) bad.push(complain(`${path}.message`, says, "leave it out"))
  if (t.from !== "all") bad.push(complain(`${path}.from`, says, "leave it out: the pattern names its endpoints"))
  if (packet.fixed === undefined)
    bad.push(
      complain(
        `${path}.packet`,
        "messages of a trace are divided into packets of one size",
        "give one size, such as 64flits",
      ),
    )
  if (spec.engine.name !== "flit")
    bad.push(complain(`${path}.pattern`, `engine: ${spec.engine.name} does not support traces`, "set engine: flit"))
  if (t.load === 0) bad.push(complain(`${path}.load`, "a trace without load never starts", "choose a load above 0"))
  if (bad.length > before || packet.fixed === undefined) return undefined
  const { first, time, to, bytes, lasts, compression } = script
  const flits = packet.fixed
  const packets = Int32Array.from(bytes, (b) => Math.max(1, Math.ceil(b / (scale.flit * flits))))
  const hosts = senders === undefined ? first.length - 1 : senders.reduce((a, b) => a + b, 0)
  const natural = (packets.reduce((a, b) => a + b, 0) * flits) / hosts / (lasts / scale.cycle)
  const faster = compression ?? t.load / natural
  if (Math.abs(natural * faster - t.load) > NEAR * t.load)
    bad.push(
      complain(
        `${path}.load`,
        `compressed by ${faster}, the trace offers a load of ${(natural * faster).toPrecision(4)}`,
        `set it to ${(natural * faster).toPrecision(4)}, or leave compression out`,
      ),
    )
  return { first, time: time.map((ps) => Math.floor(ps / scale.cycle / faster)), to, packets }
}
