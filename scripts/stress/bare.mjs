// A worker group without a network. Its threads, barriers, messages and failures are the real ones; the work between
// two barriers is a few messages to the others. It starts ten times as fast as a run, so ten thousand failures take
// minutes. This module is the side of the leader; bare-member.mjs is that of the other threads.

import { failing as planted } from "./routing.mjs"

/** Kinds of failure of a worker, in addition to those of a routing. */
const kinds = {
  ...planted,
  // An out-of-memory thread, as seen from outside.
  exit() {
    process.exit(3)
  },
  // Before the thread is ready (bare-member.mjs).
  make() {},
}

/** Rounds of work. A worker that must fail does so in round `after`. */
const ROUNDS = 40

export async function modulesOf(dist) {
  const load = (file) => import(new URL(file, dist).href)
  const [mail, crew, sync, team, failure] = await Promise.all(
    [
      "engines/packet/channels.js",
      "engines/packet/single-thread.js",
      "engines/packet/sync.js",
      "engines/flit/worker-group.js",
      "run/worker-group/failure.js",
    ].map(load),
  )
  return { ...mail, ...crew, ...sync, ...team, ...failure }
}

export function failing({ me, workers, kind, after }) {
  let left = workers.includes(me) ? after % ROUNDS : -1
  return () => {
    if (left-- === 0) kinds[kind](`planted: ${kind} in worker ${me}`)
  }
}

/**
 * The rounds of one worker of a packet group: it sends some credits to each of the others, then waits at the barrier.
 */
export function mailWork({ Channels, drainedBarrier, noStats, stepAlone }, shared, me, work, watch) {
  const channels = new Channels(shared, me, 8)
  const w = { channels, receiver: { take() {} } }
  const stats = noStats()
  function* rounds() {
    for (let round = 0; round < ROUNDS; round++) {
      for (let to = 0; to < channels.workers; to++)
        if (to !== me) for (let i = 0; i < 4 * (round % 8); i++) channels.credit(to, round, i)
      work()
      yield* drainedBarrier(w, stats)
    }
  }
  stepAlone(w, rounds(), watch)
}

/** The part of one worker of a clocked group: a window is a round. */
export function clockedMember(size, work) {
  return { parts: size, window: 1, run: work, collect() {} }
}
export { ROUNDS }
