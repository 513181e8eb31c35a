// The clock of the page. It plays the films of both sides at one time, so A and B are never out of step. The engines
// simulate ahead of it; if one is late, both wait. At maximum speed there is no film, and each picture is shown as it
// comes.
import * as s from "../state.ts"

/** Cycles per second in automatic speed: slow while the first packets move, then faster. */
const automatic = (t: number): number => (t < 140 ? 30 : t < 500 ? 80 : 240)
/** Seconds that an engine is ahead of the clock, and at least this many cycles. */
const AHEAD = 0.7
const LEAST_AHEAD = 20
/** Milliseconds between two updates of the words, and between two pictures for readers who avoid motion. */
const WORDS = 100
const STILL = 250

/** The time of the shown picture, in cycles with fractions, and the time from which the film is played. */
export const clock = { t: 0, from: 0 }
/** Functions that draw. They are called once per animation frame if something has changed. */
export const painters = new Set<() => void>()

let dirty = true
let before = 0
let worded = 0
let drawn = 0
/** Called when the clock reaches a deadlock, or the end of a run. */
let stopped: (at: number, why: "deadlock" | "end", side: s.Side) => void = () => undefined

export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches
export const isAutomatic = (): boolean => Number.isNaN(s.speed.value)
export const cyclesPerSecond = (): number => (isAutomatic() ? automatic(clock.t) : s.speed.value)

/** Requests a redraw. */
export function redraw(): void {
  dirty = true
}

/** Sets the time without playing. */
export function showAt(cycle: number): void {
  clock.t = cycle
  dirty = true
}

export function startClock(onStop: typeof stopped): void {
  stopped = onStop
  requestAnimationFrame(tick)
}

function tick(now: number): void {
  const passed = Math.max(0, Math.min(0.1, (now - before) / 1000))
  before = now
  const { value: sides } = s.sides
  const speed = cyclesPerSecond()
  if (s.running.value && sides.length > 0 && speed !== Number.POSITIVE_INFINITY) advance(sides, speed, passed, now)
  if (dirty && !(isStill() && s.running.value && now - drawn < STILL)) {
    dirty = false
    drawn = now
    for (const paint of painters) paint()
  }
  requestAnimationFrame(tick)
}

function advance(sides: readonly s.Side[], speed: number, passed: number, now: number): void {
  const ready = Math.min(...sides.map(({ reel }) => (reel.frames.length > 0 ? reel.last : 0)))
  const next = sides
    .filter(({ reel }) => reel.deadlock !== undefined && reel.deadlock > clock.from)
    .sort((a, b) => a.reel.deadlock! - b.reel.deadlock!)[0]
  const to = Math.min(
    clock.t + speed * passed,
    Math.max(clock.t, ready),
    next?.reel.deadlock ?? Number.POSITIVE_INFINITY,
  )
  if (to !== clock.t) {
    clock.t = to
    dirty = true
  }
  const stride = Math.max(1, Math.round(speed / 60))
  for (const { engine, reel } of sides) {
    const wanted = Math.ceil(clock.t + Math.max(LEAST_AHEAD, speed * AHEAD))
    // A message for every frame would be too many; an eighth of the lead is early enough.
    if (reel.ended || (wanted < reel.asked + Math.max(4, (speed * AHEAD) / 8) && stride === reel.stride)) continue
    reel.asked = wanted
    reel.stride = stride
    void engine.ask({ do: "film", to: wanted, stride, take: reel.take }).catch(() => undefined)
  }
  if (now - worded > WORDS) {
    worded = now
    tellPictures(sides)
  }
  const over = sides.find(({ reel }) => reel.ended && clock.t >= reel.last)
  if (next !== undefined && clock.t >= next.reel.deadlock!) stopped(clock.t, "deadlock", next)
  else if (over !== undefined) stopped(clock.t, "end", over)
}

/** Publishes the shown frames, so that words and numbers follow. */
export function tellPictures(sides: readonly s.Side[]): void {
  const shown = sides.flatMap(({ name, reel }) => {
    const frame = reel.frames[reel.at(clock.t)]
    return frame === undefined ? [] : [[name, frame] as const]
  })
  s.pictures.value = { ...s.pictures.value, ...Object.fromEntries(shown) }
}
