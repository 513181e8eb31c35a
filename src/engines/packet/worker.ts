// One worker of a parallel packet simulation: an event loop over its logical processes (LPs), its message channels, and
// the horizon before which nothing can be undone. `makeWorker` wraps makeLoop (kernel.ts) and adds sending and
// receiving. The model on top is arbitrary (a network, PHOLD); `payload` lists the words of a record that are sent with
// an event.
import type { Handler, Kernel } from "../../model/events.ts"
import { CANCEL, Channels, CREDIT, HEAD_WORDS, type Receiver, type SharedChannels } from "./channels.ts"
import { type KernelPlan, type Loop, makeLoop } from "./kernel.ts"
import { Received } from "./received.ts"
import type { RollbackCheckPlan } from "./rollback-check.ts"
import { joined, numberOf, partOf } from "./state.ts"

export interface Side {
  readonly me: number
  readonly channels: SharedChannels
  /** [lp] -> worker */
  readonly owner: Uint8Array
  /** optimistic: initial words of the log; absent: conservative */
  readonly logWords?: number
  /** optimistic, debug: each event is executed, undone and executed again, and memory is compared */
  readonly rollbackCheck?: boolean
}

export interface WorkerPlan
  extends Pick<KernelPlan, "mem" | "stride" | "recordsEnd" | "enough" | "lps" | "shift" | "slots" | "rebase"> {
  /** offsets, relative to a record, of the words that are sent with it */
  readonly payload: readonly number[]
  /** Adds a credit from another worker, or removes a cancelled one. */
  addCredit?(slot: number, t: number): void
  dropCredit?(slot: number, t: number): void
  /** for the debug mode */
  readonly rollbackCheck?: RollbackCheckPlan
  voidRecord?(row: number): void
  commitRecord?(row: number): void
}

export interface WorkerLoop<M> extends Loop {
  readonly model: M
  readonly channels: Channels
  readonly receiver: Receiver
  /** no event before this time can be undone any more */
  horizon(): number
  setHorizon(t: number): void
  /** Sends a credit if another worker owns the LP. Returns false if this worker owns it. */
  remoteCredit(lp: number, slot: number, t: number): boolean
  /**
   * Warm-up: executes all LPs, and sends the events of every second LP to itself through the channels. `false` restores
   * the real owners.
   */
  pretend(all: boolean): void
}

/** The services that a model may use besides the kernel, before the loop exists. */
export interface Remote {
  // An event may only be undone after `rollback`, or by a cancelled message; `gave` and `record` log its external
  // effects.
  credit(lp: number, slot: number, t: number): boolean
  horizon(): number
  rollback(lp: number, t: number, key: number): void
  gave(slot: number, t: number): void
  record(row: number): void
  /** the running event may be undone later */
  keeps(): boolean
}

export function makeWorker<M extends Handler>(
  plan: WorkerPlan,
  side: Side,
  build: (kernel: Kernel, remote: Remote) => M,
): WorkerLoop<M> {
  const { mem, payload } = plan
  const { me } = side
  const owner = side.owner.slice()
  const channels = new Channels(side.channels, me, HEAD_WORDS + payload.length)
  const optimistic = side.logWords !== undefined
  const words = payload.length
  let horizon = 0

  // The message number lets a later rollback cancel the message.
  function post(to: number, e: number, t: number, key: number): number {
    const at = channels.event(to, t, key)
    const out = channels.written()
    for (let i = 0; i < words; i++) out[at + HEAD_WORDS + i] = mem[e + payload[i]]
    return out[at + 1]
  }

  function remoteCredit(lp: number, slot: number, t: number): boolean {
    const w = owner[lp]
    if (w === me) return false
    const n = channels.credit(w, t, slot)
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
    record: (row) => loop.history!.record(row),
    keeps: () => loop.keeps(),
  }
  const warp =
    side.logWords === undefined
      ? {}
      : {
          warp: {
            logWords: side.logWords,
            ...(side.rollbackCheck === true
              ? { rollbackCheck: plan.rollbackCheck ?? { halves: [0], rest: plan.recordsEnd, tidy() {}, settle() {} } }
              : {}),
            cancel: (to: number, n: number, t: number) => channels.cancel(to, n, t),
            dropCredit: (slot: number, t: number) => plan.dropCredit?.(slot, t),
            voidRecord: (row: number) => plan.voidRecord?.(row),
            commitRecord: (row: number) => plan.commitRecord?.(row),
          },
        }
  const loop = makeLoop({ ...plan, owner, me, post, ...warp }, (kernel) => build(kernel, remote))
  const received = Array.from({ length: channels.workers }, () => new Received())

  // Accepted messages are remembered by number, because a cancellation names only the number.
  const receiver: Receiver = {
    take(from, kind, box, at) {
      const n = box[at + 1]
      if (kind === CANCEL) {
        cancelled(from, n)
        return
      }
      const t = box[at + 2]
      const key = box[at + 3]
      if (kind === CREDIT) {
        if (optimistic) received[from].put(n, ~key, t, 0, horizon)
        plan.addCredit!(key, t)
        return
      }
      const e = loop.alloc()
      for (let i = 0; i < words; i++) mem[e + payload[i]] = box[at + HEAD_WORDS + i]
      // The record is remembered before `file`, which may roll the LP back.
      if (optimistic) received[from].put(n, e, t, key, horizon)
      loop.file(e, t, key)
    },
  }

  /** Handles a cancellation (an anti-message): removes the credit, or undoes and unschedules the event. */
  function cancelled(from: number, n: number): void {
    const known = received[from]
    const at = known.find(n)
    const what = known.words[at + 1]
    const t = known.words[at + 2]
    if (what < 0) {
      plan.dropCredit!(~what, t)
      return
    }
    loop.history!.unschedule(what, t, known.words[at + 3])
    loop.release(what)
  }

  return {
    ...loop,
    channels,
    receiver,
    remoteCredit,
    horizon: () => horizon,
    setHorizon(t) {
      horizon = t
    },
    pretend(all) {
      const other = (me + 1) % channels.workers
      if (all) for (let lp = 0; lp < owner.length; lp++) owner[lp] = lp & 1 ? other : me
      else owner.set(side.owner)
    },
    rebase() {
      loop.rebase()
      horizon = 0
      for (const r of received) r.reset()
    },
    save: () =>
      joined({ kernel: loop.save(), channels: channels.save(), worker: { numbers: { horizon }, columns: {} } }),
    restore(state) {
      loop.restore(partOf(state, "kernel"))
      channels.restore(partOf(state, "channels"))
      horizon = numberOf(partOf(state, "worker"), "horizon")
      // Messages received before a common time cannot be cancelled any more.
      for (const r of received) r.reset()
    },
  }
}
