// Clients of the workers: a request returns a promise of its reply. If a worker crashes, all pending promises are
// rejected.

import type { Ask, Told } from "../shared/messages.ts"
import type { PlannerRequest, SaidAt } from "../shared/planner.ts"
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

/** A worker with numbered requests. The handler receives messages that are not replies, such as pictures. */
class Client<A> {
  private readonly worker: Worker
  private readonly open = new Map<number, Open>()
  private next = 1
  dead = false

  constructor(file: string, name: string, tell: (message: Told) => void, died: (why: string) => void) {
    this.worker = workerOf(file, name)
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
    this.worker.onerror = (e) => {
      this.dead = true
      // After an error the state of the worker is unknown, so it is terminated.
      this.worker.terminate()
      const why = e.message || "it cannot be loaded"
      const says = `The ${name} has stopped: ${why}. Open the experiment again to continue.`
      for (const { reject } of this.open.values()) reject(new Refusal([{ path: "", says, fix: "" }]))
      this.open.clear()
      died(says)
    }
  }

  ask<T>(message: A, transfer: Transferable[] = []): Promise<T> {
    if (this.dead)
      return Promise.reject(
        new Refusal([{ path: "", says: "This worker has stopped. Open the experiment again to continue.", fix: "" }]),
      )
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

  constructor(name: string) {
    super(
      "engine.js",
      name,
      (message) => this.tell(message),
      (why) => this.died(why),
    )
  }
}

export class Planner extends Client<PlannerRequest> {
  constructor(died: (why: string) => void) {
    super("planner.js", "planner", () => undefined, died)
  }
}
