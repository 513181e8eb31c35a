// One worker's side of a simulation on several: an event loop over its own logical processes, its mail, and what it knows for certain. The model
// on top is any (a network, PHOLD); it says which words of a record travel.
import type { Handler, Kernel } from "../../model/events.ts"
import { type KernelPlan, type Loop, makeLoop } from "./kernel.ts"
import { CANCEL, CREDIT, HEAD_WORDS, Mail, type Receiver, type SharedMail } from "./mail.ts"
import { Received } from "./received.ts"
import type { RehearsalPlan } from "./rehearsal.ts"
import { joined, numberOf, partOf } from "./state.ts"

export interface Side {
  readonly me: number
  readonly mail: SharedMail
  /** [lp] -> worker */
  readonly owner: Uint8Array
  /** optimistic: words of the log to begin with; absent: conservative */
  readonly logWords?: number
  /** optimistic, debug: every event is run, undone and run again, and memory is compared */
  readonly rehearse?: boolean
}

export interface WorkerPlan extends Pick<KernelPlan, "mem" | "stride" | "recordsEnd" | "enough" | "lps" | "shift" | "slots" | "rebase"> {
  /** offsets, from a record, of the words that travel with it */
  readonly payload: readonly number[]
  /** A credit from another worker; one that is taken back. */
  addCredit?(slot: number, t: number): void
  dropCredit?(slot: number, t: number): void
  /** for the debug mode */
  readonly rehearsal?: RehearsalPlan
  voidFact?(row: number): void
  commitFact?(row: number): void
}

export interface WorkerLoop<M> extends Loop {
  readonly model: M
  readonly mail: Mail
  readonly receiver: Receiver
  /** no event before it can be undone any more */
  horizon(): number
  setHorizon(t: number): void
  /** Sends a credit if another worker owns the process; false if this one does. */
  remoteCredit(lp: number, slot: number, t: number): boolean
  /** Runs all processes from here on, and sends every second one's events to itself through the mail; or only its own, as it should. */
  pretend(all: boolean): void
}

/** What a model may use besides the kernel, before the loop exists. */
export interface Remote {
  credit(lp: number, slot: number, t: number): boolean
  horizon(): number
  rollback(lp: number, t: number, key: number): void
  gave(slot: number, t: number): void
  fact(row: number): void
  /** the running event may have to be undone */
  keeps(): boolean
}

export function makeWorker<M extends Handler>(plan: WorkerPlan, side: Side, build: (kernel: Kernel, remote: Remote) => M): WorkerLoop<M> {
  const { mem, payload } = plan
  const { me } = side
  const owner = side.owner.slice()
  const mail = new Mail(side.mail, me, HEAD_WORDS + payload.length)
  const optimistic = side.logWords !== undefined
  const words = payload.length
  let horizon = 0

  function post(to: number, e: number, t: number, key: number): number {
    const at = mail.event(to, t, key)
    const out = mail.written()
    for (let i = 0; i < words; i++) out[at + HEAD_WORDS + i] = mem[e + payload[i]!]!
    return out[at + 1]!
  }

  function remoteCredit(lp: number, slot: number, t: number): boolean {
    const w = owner[lp]!
    if (w === me) return false
    const n = mail.credit(w, t, slot)
    if (optimistic && loop.keeps()) loop.history!.sent(w, n)
    return true
  }

  const remote: Remote = {
    credit: remoteCredit,
    horizon: () => horizon,
    rollback: (lp, t, key) => loop.history!.rollback(lp, t, key),
    gave(slot, t) {
      if (loop.keeps()) loop.history!.gave(slot, t)
    },
    fact: (row) => loop.history!.fact(row),
    keeps: () => loop.keeps(),
  }
  const warp =
    side.logWords === undefined
      ? {}
      : {
          warp: {
            logWords: side.logWords,
            ...(side.rehearse === true
              ? { rehearse: plan.rehearsal ?? { halves: [0], rest: plan.recordsEnd, tidy() {}, settle() {} } }
              : {}),
            cancel: (to: number, n: number, t: number) => mail.cancel(to, n, t),
            dropCredit: (slot: number, t: number) => plan.dropCredit?.(slot, t),
            voidFact: (row: number) => plan.voidFact?.(row),
            commitFact: (row: number) => plan.commitFact?.(row),
          },
        }
  const loop = makeLoop({ ...plan, owner, me, post, ...warp }, (kernel) => build(kernel, remote))
  const received = Array.from({ length: mail.workers }, () => new Received())

  const receiver: Receiver = {
    take(from, kind, box, at) {
      const n = box[at + 1]!
      if (kind === CANCEL) {
        cancelled(from, n)
        return
      }
      const t = box[at + 2]!
      const key = box[at + 3]!
      if (kind === CREDIT) {
        if (optimistic) received[from]!.put(n, ~key, t, 0, horizon)
        plan.addCredit!(key, t)
        return
      }
      const e = loop.alloc()
      for (let i = 0; i < words; i++) mem[e + payload[i]!] = box[at + HEAD_WORDS + i]!
      if (optimistic) received[from]!.put(n, e, t, key, horizon)
      loop.file(e, t, key)
    },
  }

  function cancelled(from: number, n: number): void {
    const known = received[from]!
    const at = known.find(n)
    const what = known.words[at + 1]!
    const t = known.words[at + 2]!
    if (what < 0) {
      plan.dropCredit!(~what, t)
      return
    }
    loop.history!.unschedule(what, t, known.words[at + 3]!)
    loop.release(what)
  }

  return {
    ...loop,
    mail,
    receiver,
    remoteCredit,
    horizon: () => horizon,
    setHorizon(t) {
      horizon = t
    },
    pretend(all) {
      const other = (me + 1) % mail.workers
      if (all) for (let lp = 0; lp < owner.length; lp++) owner[lp] = lp & 1 ? other : me
      else owner.set(side.owner)
    },
    rebase() {
      loop.rebase()
      horizon = 0
      for (const r of received) r.reset()
    },
    save: () => joined({ kernel: loop.save(), mail: mail.save(), worker: { numbers: { horizon }, columns: {} } }),
    restore(state) {
      loop.restore(partOf(state, "kernel"))
      mail.restore(partOf(state, "mail"))
      horizon = numberOf(partOf(state, "worker"), "horizon")
      // what was taken before a common time cannot be cancelled any more
      for (const r of received) r.reset()
    },
  }
}
