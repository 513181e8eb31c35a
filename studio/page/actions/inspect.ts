// Questions about the state at the current cycle: a channel, a router, a packet, or waiting packets.
import type {
  Ask,
  ChannelAnswer,
  Diagnosed,
  EndpointAnswer,
  PacketAnswer,
  PacketName,
  RouterAnswer,
} from "../../shared/messages.ts"
import { turned } from "../network/turn.ts"
import * as s from "../state.ts"
import { now, sideOf, trying } from "./common.ts"
import { findCause } from "./cure.ts"
import { pause, seek } from "./time.ts"

/** Pauses first, because an answer refers to one cycle. */
async function asking<T>(name: string, message: Ask): Promise<T | undefined> {
  if (s.running.value) await pause()
  const side = sideOf(name)
  return side === undefined ? undefined : trying("looking …", () => side.engine.ask<T>(message))
}

export async function askChannel(chan: number, side = "A"): Promise<void> {
  const is = await asking<ChannelAnswer>(side, { do: "channel", chan })
  if (is === undefined) return
  s.answer.value = { kind: "channel", side, is }
  await findCause(side)
}
export async function askRouter(router: number, side = "A"): Promise<void> {
  const is = await asking<RouterAnswer>(side, { do: "router", router })
  if (is !== undefined) s.answer.value = { kind: "router", side, is }
}
export async function askEndpoint(end: number, side = "A"): Promise<void> {
  const is = await asking<EndpointAnswer>(side, { do: "endpoint", end })
  if (is !== undefined) s.answer.value = { kind: "endpoint", side, is }
}
export async function askPacket(name: PacketName, side = "A"): Promise<void> {
  const { key, from, createdAt } = name
  const is = await asking<PacketAnswer>(side, { do: "packet", name: { key, from, createdAt } })
  if (is !== undefined) {
    s.answer.value = { kind: "packet", side, is }
    await findCause(side)
  } else s.said.value = "This packet is queued behind others now, or has arrived."
}
/** Inspects a packet that was clicked in a film: first pauses at the frame in which it was seen. */
export async function askPacketAt(cycle: number, name: PacketName, side: string): Promise<void> {
  if (s.running.value) await pause()
  if (now() !== cycle) await seek(cycle)
  await askPacket(name, side)
}
/** Inspects the oldest packet in the network of a side. */
export async function askOldest(side = "A"): Promise<void> {
  const [packet] = (await asking<typeof s.top.value>(side, { do: "top", count: 1 }))?.packets ?? []
  if (packet !== undefined) await askPacket(packet, side)
  else s.said.value = "There is no packet in the network."
}
/** Inspects the channel with the longest queue. */
export async function askBusiest(side = "A"): Promise<void> {
  const [channel] = (await asking<typeof s.top.value>(side, { do: "top", count: 1 }))?.channels ?? []
  if (channel !== undefined) await askChannel(channel.chan, side)
}
export async function askWhy(side = "A"): Promise<void> {
  const is = await asking<Diagnosed>(side, { do: "diagnose" })
  if (is === undefined) return
  const channels = is.cycle.map((l) => l.chan).filter((c) => c >= 0)
  s.sides.value = s.sides.value.map((x) => {
    const scene = turned(x.opened.scene, channels)
    return scene === x.opened.scene ? x : { ...x, opened: { ...x.opened, scene } }
  })
  s.answer.value = { kind: "diagnosis", side, is }
  // The story of the deadlock has its cure on side B.
  if (s.story.value !== "deadlock") await findCause(side, is.kind === "deadlock")
}

/** Goes to a cycle and inspects the same packet there. */
export async function seekWith(cycle: number, name: PacketName, side: string): Promise<void> {
  await seek(cycle)
  await askPacket(name, side)
}

/** Advances ten cycles and inspects the same packet again. */
export async function follow(by = 10): Promise<void> {
  const { value } = s.answer
  if (value?.kind !== "packet") return
  await seek(value.is.now + by)
  await askPacket(value.is, value.side)
}
