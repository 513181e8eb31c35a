// What the page knows, as signals: views read them, hands.ts changes them.
import { signal } from "@preact/signals"
import type { Finished, FormPart, Planned, ResultsRead, SaidAt } from "../shared/desk.ts"
import type { ChannelAnswer, Diagnosed, Files, HeatKind, Opened, PacketAnswer, RouterAnswer, Status } from "../shared/messages.ts"
import type { Parting } from "../shared/parting.ts"
import type { Engine } from "./client.ts"

/** One network that is shown: A, or B beside it. */
export interface Side {
  readonly name: "A" | "B"
  readonly engine: Engine
  readonly opened: Opened
  /** which run of the plan, and what was changed for this side */
  readonly run: number
  readonly set: readonly string[]
  /** B: the cycle from which on it goes its own way */
  readonly from: number
}

export interface Picture {
  readonly heat: Uint8Array
  readonly status: Status
}

export interface TopRow {
  readonly chan: number
  readonly label: string
  readonly utilisation: number
  readonly queued: number
  readonly stalled: number
}
export interface PacketRow {
  readonly key: number
  readonly from: number
  readonly to: number
  readonly born: number
}

export type Answer =
  | { readonly kind: "channel"; readonly side: string; readonly is: ChannelAnswer }
  | { readonly kind: "router"; readonly side: string; readonly is: RouterAnswer }
  | { readonly kind: "packet"; readonly side: string; readonly is: PacketAnswer }
  | { readonly kind: "diagnosis"; readonly side: string; readonly is: Diagnosed }

export type Tab = "experiment" | "run" | "results" | "tours"

export const text = signal("")
export const fileName = signal("experiment.yaml")
export const files = signal<Files>({})
export const known = signal<Readonly<Record<string, string>>>({})
export const planned = signal<Planned | undefined>(undefined)
export const complaints = signal<readonly SaidAt[]>([])
export const form = signal<readonly FormPart[]>([])
export const proofs = signal<readonly { network: string; words: readonly string[]; free: boolean }[] | undefined>(undefined)
export const run = signal(0)
export const tab = signal<Tab>("experiment")
export const sides = signal<readonly Side[]>([])
export const pictures = signal<Readonly<Record<string, Picture>>>({})
export const heat = signal<HeatKind>("utilisation")
/** cycles a second; infinity = all it can */
export const speed = signal(Number.POSITIVE_INFINITY)
export const running = signal(false)
export const answer = signal<Answer | undefined>(undefined)
export const top = signal<{ channels: readonly TopRow[]; packets: readonly PacketRow[] }>({ channels: [], packets: [] })
export const finished = signal<readonly Finished[]>([])
export const sweeping = signal(false)
export const results = signal<ResultsRead | undefined>(undefined)
export const papers = signal<
  | readonly { id: string; title: string; claim: string; says: string; scaled: string; experiments: Readonly<Record<string, unknown>> }[]
  | undefined
>(undefined)
export const figures = signal<readonly string[]>([])
/** what was last said to the person, for eyes and screen readers */
export const said = signal("")
export const trouble = signal("")
/** whether the fingerprint of a link agrees with ours */
export const badge = signal<{ readonly agrees: boolean; readonly says: string } | undefined>(undefined)
export const busy = signal("")
/** the graphics driver has dropped a picture: Canvas 2D from now on */
export const lostGl = signal(false)
export const matrix = signal(false)
export const difference = signal(false)
export const tour = signal<{ readonly name: string; readonly step: number } | undefined>(undefined)
/** where A and B part, if they do up to `last` */
export const first = signal<{ readonly last: number; readonly parting: Parting | undefined } | undefined>(undefined)
