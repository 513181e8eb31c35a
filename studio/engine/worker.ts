// The worker of one engine. It simulates in short time slices, so that requests are handled between them. It sends
// about fifteen pictures per second. For a film it sends every frame that the page requests, ahead of time.
import { type Ask, type Opened, superseded, type Told } from "../shared/messages.ts"
import {
  channelAnswer,
  diagnosed,
  endpointAnswer,
  packetAnswer,
  packetsNow,
  routerAnswer,
  topChannels,
} from "./answers.ts"
import { DeadlockWatch } from "./deadlock.ts"
import { Frames } from "./frames.ts"
import { limitAnswer } from "./limit.ts"
import type { Live } from "./live.ts"
import { openLive } from "./open.ts"
import { fateOf, placesNow } from "./packets.ts"
import { sceneOf } from "./scene.ts"

/** Milliseconds of a time slice, and between two pictures. */
const TURN = 24
const PICTURE = 60
/** Milliseconds between two reports of a run of a sweep. */
const REPORT = 400

let live: Live | undefined
let frames: Frames | undefined
let watch: DeadlockWatch | undefined
/** Paused, running as fast as possible, filming, or running for a sweep. */
let mode: "paused" | "run" | "film" | "sweep" = "paused"
/** The film that the page plays: the last cycle that it wants, and the cycles between two frames. */
let film = { to: 0, stride: 1, take: 0 }
/**
 * Cycles of one time slice. It doubles after a short slice and halves after a long one, so that a slice takes about
 * TURN ms.
 */
let budget = 64
/** Recent speed in cycles per second, for the status line. */
let rate = 0
let pictured = 0
/** The end of the run was reported; it is reported once. */
let told = false
let measured = { at: 0, cycle: 0 }
/** The current seek; a later one replaces it. */
let goal: { cycle: number; number: number } | undefined
let scheduled = false
const channel = new MessageChannel()
channel.port1.onmessage = turn

const tell = (message: Told, hand: Transferable[] = []): void => postMessage(message, { transfer: hand })

/** Schedules the next time slice. A message channel is faster than a timer, which browsers delay by at least 4 ms. */
function schedule(): void {
  if (scheduled) return
  scheduled = true
  channel.port2.postMessage(0)
}

/** Sends a picture; in a film it is the next frame. Its buffers are transferred, so each picture has new ones. */
function picture(take = 0): void {
  if (frames === undefined) return
  const { frame, buffers } = frames.frame(mode !== "paused", rate)
  pictured = performance.now()
  tell({ kind: "frame", frame, take }, buffers)
  const deadlock = watch?.look(frame.status.blocked)
  if (deadlock !== undefined) tell({ kind: "deadlock", ...deadlock })
}

/** Simulates one time slice: a part of a seek, of a film, or of a run at maximum speed. */
function turn(): void {
  scheduled = false
  if (live === undefined) return
  if (goal !== undefined) {
    seekOn(live, goal)
    return
  }
  if (mode === "paused") return
  const begun = performance.now()
  if (mode === "film") shoot(live, begun)
  else {
    live.forward(live.now + budget)
    const took = performance.now() - begun
    if (took < TURN / 2) budget = Math.min(2 ** 20, budget * 2)
    else if (took > 2 * TURN) budget = Math.max(1, budget >> 1)
  }
  // The speed is averaged over half a second.
  if (begun - measured.at > 500) {
    rate = (1000 * (live.now - measured.cycle)) / (begun - measured.at)
    measured = { at: begun, cycle: live.now }
  }
  if (live.ended) {
    const last = mode === "film" ? film.take : 0
    if (mode !== "sweep") {
      mode = "paused"
      picture(last)
    }
    void end(live)
    return
  }
  const since = performance.now() - pictured
  if (mode === "run" && since > PICTURE) picture()
  else if (mode === "sweep" && since > REPORT) {
    pictured = performance.now()
    tell({ kind: "progress", status: live.status(true, rate, Number.NaN) })
  }
  if (mode !== "film" || live.now < film.to) schedule()
}

/** Sends frames until the page has what it wants, or the time slice is over. */
function shoot(at: Live, begun: number): void {
  while (at.now < film.to && !at.ended && performance.now() - begun < TURN) {
    at.forward(at.now + film.stride)
    if (!at.ended) picture(film.take)
  }
}

/** Reports the result of the run to the page. */
async function end(of: Live): Promise<void> {
  if (told) return
  told = true
  const result = await of.finished()
  tell({ kind: "ended", result, status: of.status(false, rate, Number.NaN) })
}

/** Simulates a part of the cycles up to the goal, within the budget of a time slice. */
function seekOn(at: Live, { cycle, number }: { cycle: number; number: number }): void {
  const begun = performance.now()
  at.back(cycle)
  at.forward(Math.min(cycle, at.now + budget))
  // A seek has no fixed speed, so the slice only grows. A picture is sent meanwhile to show the progress.
  if (performance.now() - begun < TURN) budget = Math.min(2 ** 20, budget * 2)
  if (at.now < cycle && !at.ended) {
    if (performance.now() - pictured > PICTURE) picture()
    schedule()
    return
  }
  goal = undefined
  picture()
  tell({ kind: "answer", number, ok: at.now })
  if (at.ended) void end(at)
}

/** Handles one request. The returned value is the reply; an exception is a rejection. */
async function answer(ask: Ask, number: number): Promise<unknown> {
  if (ask.do === "open") {
    const made = await openLive(ask.spec, ask.files, ask.code).catch(tooLarge)
    if ("bad" in made) throw new Refused(made.bad)
    live = made.ok.live
    frames = new Frames(live)
    watch = new DeadlockWatch(live)
    told = false
    const { topology, vcs } = live.observation
    const opened: Opened = {
      scene: sceneOf(topology, vcs, live.observation.crossing),
      limit: made.ok.limit,
      offered: made.ok.offered,
      sharedMemory: typeof SharedArrayBuffer !== "undefined",
    }
    picture()
    return opened
  }
  if (live === undefined) throw new Refused(["no experiment is open"])
  if (ask.do === "run") {
    mode = live.ended ? "paused" : "run"
    measured = { at: performance.now(), cycle: live.now }
    if (live.ended) picture()
    schedule()
    return live.now
  }
  if (ask.do === "sweep") {
    mode = "sweep"
    live.forget()
    schedule()
    return live.now
  }
  if (ask.do === "film") {
    film = { to: ask.to, stride: Math.max(1, Math.floor(ask.stride)), take: ask.take }
    mode = live.ended ? "paused" : "film"
    schedule()
    return live.now
  }
  if (ask.do === "pause") {
    mode = "paused"
    picture()
    return live.now
  }
  if (ask.do === "heat") {
    if (frames !== undefined) frames.heat = ask.heat
    if (mode !== "film") picture()
    return true
  }
  if (ask.do === "seek") {
    mode = "paused"
    if (goal !== undefined) tell({ kind: "answer", number: goal.number, bad: [superseded] })
    goal = { cycle: Math.max(0, Math.floor(ask.cycle)), number }
    schedule()
    return LATER
  }
  if (ask.do === "channel") return channelAnswer(live, ask.chan)
  if (ask.do === "router") return routerAnswer(live, ask.router)
  if (ask.do === "endpoint") return endpointAnswer(live, ask.end)
  if (ask.do === "packet") return packetAnswer(live, ask.name)
  if (ask.do === "places") return placesNow(live.observation)
  if (ask.do === "fate") return fateOf(live, ask.name, ask.since)
  if (ask.do === "top")
    return { channels: topChannels(live, ask.count), packets: packetsNow(live.observation, ask.count) }
  if (ask.do === "diagnose") return diagnosed(live)
  if (ask.do === "limit") return limitAnswer(live)
  if (ask.do === "fingerprint") return { cycle: live.now, fingerprint: live.observation.fingerprint() }
  if (ask.do === "result") return live.ended ? live.finished() : undefined
  if (ask.do === "state") return live.state()
  if (ask.do === "adopt") {
    live.adopt(ask.state)
    watch?.reset()
    picture()
    return live.now
  }
  throw new Refused(["Unknown request to the engine. This is a bug in lacewing, please report it."])
}

/** Converts the out-of-memory error of a browser into a message. */
function tooLarge(e: unknown): never {
  if (e instanceof RangeError && /alloc|length|memory/i.test(e.message))
    throw new Refused([
      `This network is too large for a browser tab: ${e.message}. Use shorter links ` +
        "(network.links) or smaller buffers, or use lacewing run",
    ])
  throw e
}

const LATER = Symbol("answered later")

class Refused extends Error {
  readonly says: readonly string[]
  constructor(says: readonly string[]) {
    super(says.join("\n"))
    this.says = says
  }
}

// Requests are handled one after another: an experiment is open before the next request is processed.
let before: Promise<unknown> = Promise.resolve()
addEventListener("message", ({ data }: MessageEvent<Ask & { readonly number: number }>) => {
  if (data.do === "ping") {
    tell({ kind: "answer", number: data.number, ok: true })
    return
  }
  before = before.then(async () => {
    try {
      const ok = await answer(data, data.number)
      if (ok !== LATER) tell({ kind: "answer", number: data.number, ok })
    } catch (e) {
      const bad = e instanceof Refused ? e.says : [e instanceof Error ? e.message : String(e)]
      tell({ kind: "answer", number: data.number, bad })
    }
  })
})
