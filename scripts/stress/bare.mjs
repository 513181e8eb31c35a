// A team without a network: the threads, the barriers, the mail and the failures of a run are the real ones, and the work between two barriers is a few
// messages to the others. It starts ten times as fast as a run, so that ten thousand failures are made in minutes. This module is the leader's side and
// (bare-member.mjs) that of the other threads.

import { failing as planted } from "./routing.mjs"

/** How a worker fails, besides those ways that a routing has. */
const kinds = {
  ...planted,
  // what a thread that runs out of memory looks like from outside
  exit() {
    process.exit(3)
  },
  // before the thread is ready (bare-member.mjs)
  make() {},
}

/** ROUNDS of work, in which a worker that is to fail does so in round `after`. */
const ROUNDS = 40

export async function modulesOf(dist) {
  const load = (file) => import(new URL(file, dist).href)
  const [mail, crew, sync, team, failure] = await Promise.all(
    ["engines/packet/mail.js", "engines/packet/crew.js", "engines/packet/sync.js", "engines/flit/team.js", "run/team/failure.js"].map(load),
  )
  return { ...mail, ...crew, ...sync, ...team, ...failure }
}

export function failing({ me, workers, kind, after }) {
  let left = workers.includes(me) ? after % ROUNDS : -1
  return () => {
    if (left-- === 0) kinds[kind](`planted: ${kind} in worker ${me}`)
  }
}

/** The rounds of one worker of a packet team: it sends each of the others some credits, and all meet. */
export function mailWork({ Mail, meet, noStats, stepAlone }, shared, me, work, watch) {
  const mail = new Mail(shared, me, 8)
  const w = { mail, receiver: { take() {} } }
  const stats = noStats()
  function* rounds() {
    for (let round = 0; round < ROUNDS; round++) {
      for (let to = 0; to < mail.workers; to++) if (to !== me) for (let i = 0; i < 4 * (round % 8); i++) mail.credit(to, round, i)
      work()
      yield* meet(w, stats)
    }
  }
  stepAlone(w, rounds(), watch)
}

/** One worker's part of a clocked team: a window is a round. */
export function clockedMember(size, work) {
  return { parts: size, window: 1, run: work, collect() {} }
}
export { ROUNDS }
