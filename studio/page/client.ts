// Workers as functions: a question, a promise of its answer. A worker that dies says so, and everything that still waits is told.
import type { DeskAsk, SaidAt } from "../shared/desk.ts"
import type { Ask, Told } from "../shared/messages.ts"

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

class Client<A> {
  private readonly worker: Worker
  private readonly open = new Map<number, Open>()
  private next = 1
  dead = false

  constructor(file: string, name: string, tell: (message: Told) => void, died: (why: string) => void) {
    this.worker = new Worker(new URL(file, document.baseURI), { type: "module", name })
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
      // code that has broken somewhere may go on elsewhere
      this.worker.terminate()
      const why = e.message || "it could not be loaded"
      for (const { reject } of this.open.values()) reject(new Refusal([{ path: "", says: `the ${name} has stopped: ${why}`, fix: "" }]))
      this.open.clear()
      died(`The ${name} has stopped: ${why}. Everything else is as it was; open the experiment again to go on.`)
    }
  }

  ask<T>(message: A, transfer: Transferable[] = []): Promise<T> {
    if (this.dead) return Promise.reject(new Refusal([{ path: "", says: "this worker has stopped", fix: "open the experiment again" }]))
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

/** Whoever owns an engine says who listens to it. */
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

export class Desk extends Client<DeskAsk> {
  constructor(died: (why: string) => void) {
    super("desk.js", "desk", () => undefined, died)
  }
}
