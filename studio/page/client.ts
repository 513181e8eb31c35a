// Clients of the workers: a request returns a promise of its reply. If a worker crashes, all pending promises are
// rejected.

import type { Ask, Told } from "../shared/messages.ts"
import type { PlannerRequest, SaidAt } from "../shared/planner.ts"
import { isolatedWorker, type WorkerLike } from "./sandbox.ts"
import { workerOf } from "./site.ts"

/** A request that the worker rejected, with the complaints. */
export class Refusal extends Error {
  readonly said: readonly SaidAt[]
  constructor(said: readonly SaidAt[]) {
    super(said.map((s) => (s.path === "" ? s.says : `${s.path}: ${s.says}`)).join("\n"))
    this.said = said
  }
}

interface Open {
  resolve(value: unknown): void
  reject(reason: Error): void
}

type Answered = { kind: string; number: number; ok?: unknown; bad?: readonly (string | SaidAt)[] }

/** Milliseconds that a worker with plug-ins may leave a message unanswered; a network is built in one step. */
export const patience = { running: 10_000, building: 30_000 }

interface Kind {
  readonly file: string
  readonly name: string
  /** It executes custom plug-ins, so it is isolated and watched. */
  readonly isolated: boolean
  /** Its requests may take long, as building a network does. */
  readonly isSlow: (request: { readonly do: string }) => boolean
}

/** A worker with numbered requests. The handler receives messages that are not replies, such as pictures. */
class Client<A extends { readonly do: string }> {
  private readonly worker: WorkerLike
  private readonly kind: Kind
  private readonly open = new Map<number, Open>()
  private next = 1
  private slow = 0
  private readonly onStop: (why: string) => void
  dead = false

  constructor(kind: Kind, tell: (message: Told) => void, died: (why: string) => void) {
    this.kind = kind
    this.onStop = died
    this.worker = kind.isolated ? isolatedWorker(kind.file, kind.name) : workerOf(kind.file, kind.name)
    this.worker.onmessage = ({ data }: MessageEvent<Told | Answered>) => {
      if (this.dead) return
      if (data.kind !== "answer") {
        tell(data as Told)
        return
      }
      const { number, ok, bad } = data as Answered
      const waits = this.open.get(number)
      this.open.delete(number)
      if (bad === undefined) waits?.resolve(ok)
      else waits?.reject(new Refusal(bad.map((b) => (typeof b === "string" ? { path: "", says: b, fix: "" } : b))))
    }
    this.worker.onerror = (e) => this.stop(e.message || "it cannot be loaded")
    if (kind.isolated) this.watch()
  }

  /** After an error the state of the worker is unknown, so it is terminated. */
  private stop(why: string): void {
    if (this.dead) return
    this.dead = true
    this.worker.terminate()
    const says = `The ${this.kind.name} has stopped: ${why}. Open the experiment again to continue.`
    for (const { reject } of this.open.values()) reject(new Refusal([{ path: "", says, fix: "" }]))
    this.open.clear()
    this.onStop(says)
  }

  /** Stops the worker if it leaves a message unanswered for too long. */
  private watch(): void {
    const sent = performance.now()
    const look = setInterval(() => {
      const limit = this.slow > 0 ? patience.building : patience.running
      if (this.dead) clearInterval(look)
      else if (performance.now() - sent > limit)
        this.stop(
          `it did not answer for ${limit / 1000} seconds, so a plug-in probably does not end or used all memory`,
        )
    }, 250)
    const next = () => {
      clearInterval(look)
      if (!this.dead) setTimeout(() => this.dead || this.watch(), 500)
    }
    this.send({ do: "ping" }).then(next, next)
  }

  ask<T>(message: A, transfer: Transferable[] = []): Promise<T> {
    if (this.dead)
      return Promise.reject(
        new Refusal([{ path: "", says: "This worker has stopped. Open the experiment again to continue.", fix: "" }]),
      )
    if (!this.kind.isSlow(message)) return this.send<T>(message, transfer)
    this.slow++
    return this.send<T>(message, transfer).finally(() => void this.slow--)
  }

  private send<T>(message: { readonly do: string }, transfer: Transferable[] = []): Promise<T> {
    const number = this.next++
    return new Promise<T>((resolve, reject) => {
      this.open.set(number, { resolve: resolve as (value: unknown) => void, reject })
      this.worker.postMessage({ ...message, number }, transfer)
    })
  }

  close(): void {
    this.dead = true
    this.worker.terminate()
    for (const { reject } of this.open.values()) reject(new Refusal([{ path: "", says: "closed", fix: "" }]))
    this.open.clear()
  }
}

/** An engine worker. Its owner sets the handlers. */
export class Engine extends Client<Ask> {
  tell: (message: Told) => void = () => undefined
  died: (why: string) => void = () => undefined

  constructor(name: string, isolated = false) {
    super(
      { file: "engine.js", name, isolated, isSlow: (request) => request.do === "open" },
      (message) => this.tell(message),
      (why) => this.died(why),
    )
  }
}

export class Planner extends Client<PlannerRequest> {
  constructor(died: (why: string) => void, isolated = false) {
    super({ file: "planner.js", name: "planner", isolated, isSlow: () => true }, () => undefined, died)
  }
}
