// Enumerates every interleaving of a few threads over shared words. A thread is a list of steps; one step is one atomic
// operation. It is a model of what Atomics and Node's threads do: a wait compares and goes to sleep in one step, a
// notify wakes all that sleep at a word, a timed wait may end at any moment, and a thread that is being terminated may
// stop before any of its next steps, also while it sleeps. The protocols are written in
// test/twins/failure-model.test.ts.

/** What a step does: it goes to a label, sleeps at a word, or ends. */
export type Next = string | { readonly sleepAt: string; readonly timed: boolean; readonly wakeAt: string } | typeof END
export const END = Symbol("end")

export interface World {
  /** shared words, by name */
  readonly words: Record<string, number>
  /** the words of the thread that steps */
  readonly own: Record<string, number>
  notify(word: string): void
  /** Asks the other threads to stop; they do so at some later moment. */
  terminateOthers(): void
  ended(thread: number): boolean
}

/** label -> the step that is there; several results are alternatives (a failure here, or none) */
export type Program = Readonly<Record<string, (w: World, me: number) => Next | readonly Next[]>>

interface Thread {
  at: string
  own: Record<string, number>
  /** the word that it sleeps at */
  sleeps: string
  timed: boolean
  /** it was told to stop */
  terminated: boolean
  ended: boolean
}

interface State {
  words: Record<string, number>
  threads: Thread[]
}

export interface Explored {
  readonly states: number
  /** states from which no step leads on although a thread has not ended: all of them sleep and nobody will notify them
   *  */
  readonly asleep: readonly string[]
  /** states from which the end of all threads cannot be reached any more, whatever is scheduled */
  readonly stuck: readonly string[]
}

function keyOf({ words, threads }: State): string {
  const parts = threads.map((t) =>
    [t.at, t.sleeps, +t.timed, +t.terminated, +t.ended, ...Object.entries(t.own)].join(","),
  )
  return [Object.values(words).join(","), ...parts].join(";")
}

function copyOf({ words, threads }: State): State {
  return { words: { ...words }, threads: threads.map((t) => ({ ...t, own: { ...t.own } })) }
}

/** All states that `programs` (one for each thread, each begins at "start") can reach. */
export function explore(programs: readonly Program[], words: Record<string, number>): Explored {
  const first: State = {
    words,
    threads: programs.map(() => ({ at: "start", own: {}, sleeps: "", timed: false, terminated: false, ended: false })),
  }
  const states = [first]
  const keys = [keyOf(first)]
  const known = new Map([[keys[0], 0]])
  /** [state] -> states that lead to it */
  const before: number[][] = [[]]
  const ends: number[] = []
  const asleep: string[] = []
  for (let i = 0; i < states.length; i++) {
    if (states[i].threads.every((t) => t.ended)) {
      ends.push(i)
      continue
    }
    const next = successors(programs, states[i])
    if (next.length === 0) asleep.push(keys[i])
    for (const n of next) {
      const key = keyOf(n)
      const at = known.get(key)
      if (at !== undefined) {
        before[at].push(i)
        continue
      }
      known.set(key, states.length)
      states.push(n)
      keys.push(key)
      before.push([i])
    }
  }
  const canEnd = new Set(ends)
  for (let i = ends.pop(); i !== undefined; i = ends.pop())
    for (const b of before[i])
      if (!canEnd.has(b)) {
        canEnd.add(b)
        ends.push(b)
      }
  return { states: states.length, asleep, stuck: keys.filter((_, i) => !canEnd.has(i)) }
}

function successors(programs: readonly Program[], s: State): State[] {
  return s.threads.flatMap((t, me) => {
    if (t.ended) return []
    const next: State[] = t.sleeps === "" ? stepsOf(programs[me], s, me) : []
    if (t.sleeps !== "" && t.timed) next.push(changed(s, me, { sleeps: "" }))
    if (t.terminated) next.push(changed(s, me, OVER))
    return next
  })
}

/** A thread that has ended: what it knew makes no difference any more. */
const OVER: Partial<Thread> = { at: "", own: {}, sleeps: "", timed: false, terminated: false, ended: true }

function changed(s: State, me: number, what: Partial<Thread>): State {
  const to = copyOf(s)
  Object.assign(to.threads[me], what)
  return to
}

/** Steps are run again for each alternative, because they change words. */
function stepsOf(program: Program, s: State, me: number): State[] {
  const results: State[] = []
  for (let i = 0, count = 1; i < count; i++) {
    const to = copyOf(s)
    const mine = to.threads[me]
    const step = program[mine.at]
    if (step === undefined) throw new Error(`no step ${mine.at}`)
    const chosen = step(worldOf(to, me), me)
    const all: readonly Next[] = Array.isArray(chosen) ? chosen : [chosen as Next]
    count = all.length
    go(mine, all[i])
    results.push(to)
  }
  return results
}

function go(t: Thread, next: Next): void {
  if (typeof next === "string") t.at = next
  else if (typeof next === "symbol") Object.assign(t, OVER)
  else Object.assign(t, { at: next.wakeAt, sleeps: next.sleepAt, timed: next.timed })
}

function worldOf(s: State, me: number): World {
  return {
    words: s.words,
    own: s.threads[me].own,
    notify(word) {
      for (const t of s.threads) if (t.sleeps === word) t.sleeps = ""
    },
    terminateOthers() {
      s.threads.forEach((t, i) => {
        if (i !== me) t.terminated = true
      })
    },
    ended: (thread) => s.threads[thread].ended,
  }
}
