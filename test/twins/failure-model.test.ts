// The protocol of the threads of one run, checked by enumeration: orders, the barrier, and what happens when a worker
// fails at any moment or its thread ends without a word. The invariant: there is no state in which all live threads
// sleep and nobody will notify them, and from every state all threads can still end. The steps below name the functions
// that they stand for; each is one atomic operation there.
import { describe, expect, it } from "vitest"
import { END, explore, type Next, type Program, type World } from "../support/interleavings.ts"

interface Options {
  readonly workers: number
  /** barriers within an order */
  readonly barriers: number
  readonly fails: boolean
  /** a wait ends after a time, or only by a notification */
  readonly timed: boolean
}

/** Programs of a team: the leader gives one order and then sends the others home. */
type Protocol = (o: Options) => readonly Program[]

/** The barrier of Mail (arrive, passed, rest) and Team.meet: both count arrivals, open by one store, and wake those
 *  that count as sleeping. */
function barrier(o: Options, i: number, watch: Program[string]): Program {
  const opened = i + 1 < o.barriers ? `work${i + 1}` : "finished"
  const steps: Program = {
    // the event loop, which may throw anywhere
    [`work${i}`]: (_, me) =>
      (o.fails ? [`arrive${i}`, "caught", ...(me > 0 ? [END] : [])] : `arrive${i}`) as readonly Next[],
    [`arrive${i}`]: ({ words, own }) => {
      own["seen"] = words["open"]
      return `count${i}`
    },
    [`count${i}`]: ({ words }) => {
      words["arrived"]++
      return words["arrived"] === o.workers ? `reset${i}` : `look${i}`
    },
    [`reset${i}`]: ({ words }) => {
      words["arrived"] = 0
      return `open${i}`
    },
    [`open${i}`]: ({ words }) => {
      words["open"]++
      return `wake${i}`
    },
    // wake(): a notification only where somebody sleeps
    [`wake${i}`]: ({ words }) => (words["sleepers"] > 0 ? `notify${i}` : opened),
    [`notify${i}`]: ({ notify }) => {
      notify("open")
      return opened
    },
    [`look${i}`]: ({ words, own }) => (words["open"] !== own["seen"] ? opened : `watch${i}`),
    [`watch${i}`]: (w, me) => (watch(w, me) === "caught" ? "caught" : `drowsy${i}`),
    // sleep()
    [`drowsy${i}`]: ({ words }) => {
      words["sleepers"]++
      return `sleep${i}`
    },
    [`sleep${i}`]: ({ words, own }) =>
      words["open"] === own["seen"] ? { sleepAt: "open", timed: o.timed, wakeAt: `woken${i}` } : `woken${i}`,
    [`woken${i}`]: ({ words }) => {
      words["sleepers"]--
      return `look${i}`
    },
  }
  return steps
}

const anyEnded = (o: Options, { ended }: World) =>
  Array.from({ length: o.workers - 1 }, (_, i) => ended(i + 1)).some(Boolean)

interface Failing {
  /** a failure was announced */
  readonly failed: (w: World) => boolean
  /** from "caught" to the leader's "terminate" or a member's END */
  readonly leader: Program
  readonly member: Program
}

function team(o: Options, { failed, leader, member }: Failing): readonly Program[] {
  const parts = (watch: Program[string]) =>
    Object.assign({}, ...Array.from({ length: o.barriers }, (_, i) => barrier(o, i, watch))) as Program
  const give = (label: string, what: number, then: string): Program => ({
    [label]: ({ words }) => {
      words["what"] = what
      words["order"]++
      return `${label}-notify`
    },
    [`${label}-notify`]: ({ notify }) => {
      notify("order")
      return then
    },
  })
  const gone = (w: World) =>
    Array.from({ length: o.workers - 1 }, (_, i) => w.ended(i + 1)).every(Boolean) ? END : "gone"
  const leads: Program = {
    ...give("start", 1, "work0"),
    ...parts((w) => (failed(w) || anyEnded(o, w) ? "caught" : "")),
    ...give("finished", 2, "gone"),
    ...leader,
    // the promise of close(), or of the threads that were terminated
    gone,
  }
  const follows: Program = {
    start: ({ own }) => {
      own["order"] = 0
      return "idle"
    },
    idle: ({ words, own }) =>
      words["order"] === own["order"] ? { sleepAt: "order", timed: o.timed, wakeAt: "awake" } : "obey",
    awake: (w) => (failed(w) ? "caught" : "idle"),
    obey: ({ words, own }) => {
      own["order"]++
      return words["what"] === 2 ? END : "work0"
    },
    ...parts((w) => (failed(w) ? "caught" : "")),
    finished: () => "idle",
    ...member,
  }
  return Array.from({ length: o.workers }, (_, me) => (me === 0 ? leads : follows))
}

/** src/run/worker-group/failure.ts: the text first, then the word that claims it. */
const claimed: Protocol = (o) => {
  const failing = (then: Next): Program => ({
    caught: ({ words }) => (words["first"] !== 0 ? then : "write"),
    write: ({ words }, me) => {
      words[`text${me}`] = 1
      return "claim"
    },
    claim: ({ words }, me) => {
      if (words["first"] === 0) words["first"] = me + 1
      return then
    },
  })
  const leader: Program = {
    ...failing("terminate"),
    terminate: ({ terminateOthers }) => {
      terminateOthers()
      return "report"
    },
    report({ words }) {
      if (words[`text${words["first"] - 1}`] !== 1) throw new Error("the text of the first failure is not complete")
      return "gone"
    },
  }
  return team(o, { failed: ({ words }) => words["first"] !== 0, leader, member: failing(END) })
}

/** src/engines/flit/worker-group.ts: as above, and then a word that the barrier looks at, set by each that fails
 *  (Team.fail).
 *  */
const broken: Protocol = (o) => {
  const failing = (next: Next): Program => ({
    caught: ({ words }) => (words["first"] !== 0 ? "break" : "write"),
    write: ({ words }, me) => {
      words[`text${me}`] = 1
      return "claim"
    },
    claim: ({ words }, me) => {
      if (words["first"] === 0) words["first"] = me + 1
      return "break"
    },
    break: ({ words }) => {
      words["broken"] = 1
      return "tell"
    },
    tell: ({ notify }) => {
      notify("open")
      notify("order")
      return next
    },
  })
  const { terminate, report } = claimed(o)[0]
  const leader: Program = { ...failing("terminate"), terminate: terminate!, report: report! }
  return team(o, { failed: ({ words }) => words["broken"] !== 0, leader, member: failing(END) })
}

/** As it was: a state "text is being written" that others see, and a leader that terminates the writer before it waits
 *  for the text. */
const announced: Protocol = (o) => {
  const [WRITING, WRITTEN] = [1, 2]
  const failing = (then: Next): Program => ({
    caught({ words }) {
      if (words["first"] !== 0) return then
      words["first"] = WRITING
      return "write"
    },
    write: () => "claim",
    claim({ words }) {
      words["first"] = WRITTEN
      return then
    },
  })
  const leader: Program = {
    ...failing("terminate"),
    terminate: ({ terminateOthers }) => {
      terminateOthers()
      return "report"
    },
    report: ({ words }) => (words["first"] === WRITING ? { sleepAt: "first", timed: true, wakeAt: "report" } : "gone"),
  }
  return team(o, { failed: ({ words }) => words["first"] !== 0, leader, member: failing(END) })
}

function words(o: Options): Record<string, number> {
  const texts = Object.fromEntries(Array.from({ length: o.workers }, (_, i) => [`text${i}`, 0]))
  return { order: 0, what: 0, arrived: 0, open: 0, sleepers: 0, first: 0, broken: 0, ...texts }
}

const check = (protocol: Protocol, o: Options) => explore(protocol(o), words(o))

describe("orders and the barrier without failures", () => {
  it.each([
    [2, 3],
    [3, 2],
  ])("%i workers: a notification reaches every sleeper, even if no wait ends by itself", (workers, barriers) => {
    const found = check(claimed, { workers, barriers, fails: false, timed: false })
    expect(found.states).toBeGreaterThan(100)
    expect(found.asleep).toEqual([])
    expect(found.stuck).toEqual([])
  })

  it("a barrier that counts its sleepers after they went to sleep loses a wake-up: the check finds it", () => {
    const late: Protocol = (o) =>
      claimed(o).map((program) => ({
        ...program,
        drowsy0: () => "sleep0",
        sleep0: ({ words, own }) =>
          words["open"] === own["seen"] ? { sleepAt: "open", timed: false, wakeAt: "woken0" } : "look0",
        woken0: () => "look0",
      }))
    expect(check(late, { workers: 2, barriers: 1, fails: false, timed: false }).asleep.length).toBeGreaterThan(0)
  })
})

describe("a worker that fails, or whose thread ends, at any moment", () => {
  it.each([
    ["packet", 2, 2, claimed],
    ["packet", 3, 1, claimed],
    ["clocked", 2, 2, broken],
    ["clocked", 3, 1, broken],
  ] as const)(
    "%s team of %i: all threads end, and the leader has a complete text",
    (_, workers, barriers, protocol) => {
      const found = check(protocol, { workers, barriers, fails: true, timed: true })
      expect(found.states).toBeGreaterThan(1000)
      expect(found.asleep).toEqual([])
      expect(found.stuck).toEqual([])
    },
  )

  it("the check finds the hang of a leader that terminates the writer of the text it waits for", () => {
    const found = check(announced, { workers: 2, barriers: 1, fails: true, timed: true })
    expect(found.stuck.length).toBeGreaterThan(0)
  })

  it("the check finds that waits must end by themselves: a failure notifies nobody", () => {
    const found = check(claimed, { workers: 2, barriers: 1, fails: true, timed: false })
    expect(found.asleep.length).toBeGreaterThan(0)
  })
})
