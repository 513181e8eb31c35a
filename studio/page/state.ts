// The state of the page as signals. Views read them, and only the actions change them.
import { signal } from "@preact/signals"
import type { Divergence } from "../shared/divergence.ts"
import type {
  ChannelAnswer,
  Diagnosed,
  EndpointAnswer,
  Files,
  Frame,
  HeatKind,
  LimitAnswer,
  Opened,
  PacketAnswer,
  RouterAnswer,
  Status,
} from "../shared/messages.ts"
import type { Cure, Finished, FormPart, ModuleHere, Planned, ResultsRead, SaidAt } from "../shared/planner.ts"
import type { StoryName } from "../shared/stories.ts"
import type { Engine } from "./client.ts"
import type { Reel } from "./film/reel.ts"
import type { Colouring } from "./network/dots.ts"

/** A shown network: A, or B next to it. */
export interface Side {
  readonly name: "A" | "B"
  readonly engine: Engine
  readonly opened: Opened
  /** The index of the run in the plan, and the changes of this side. */
  readonly run: number
  readonly set: readonly string[]
  /** B: the cycle at which it was branched from A. */
  readonly from: number
  readonly reel: Reel
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
  readonly createdAt: number
}

export type Answer =
  | { readonly kind: "channel"; readonly side: string; readonly is: ChannelAnswer }
  | { readonly kind: "router"; readonly side: string; readonly is: RouterAnswer }
  | { readonly kind: "endpoint"; readonly side: string; readonly is: EndpointAnswer }
  | { readonly kind: "packet"; readonly side: string; readonly is: PacketAnswer }
  | { readonly kind: "diagnosis"; readonly side: string; readonly is: Diagnosed }

export interface Task {
  readonly state: "running" | "stopped" | "failed"
  /** Its progress, and its maximum number of cycles. */
  readonly status?: Status
  readonly limit?: number
  readonly says?: string
}

export type Tab = "experiment" | "run" | "results"

export const text = signal("")
export const fileName = signal("experiment.yaml")
export const files = signal<Files>({})
export const known = signal<Readonly<Record<string, string>>>({})
/** The modules that the experiment names; `allowed` is undefined until the reader has decided. */
export const code = signal<
  { readonly modules: readonly ModuleHere[]; readonly allowed: boolean | undefined } | undefined
>(undefined)
/** True: the command line allowed the code of this experiment, also after changes. */
export const trusted = signal(false)
export const planned = signal<Planned | undefined>(undefined)
export const complaints = signal<readonly SaidAt[]>([])
export const form = signal<readonly FormPart[]>([])
export const proofs = signal<readonly { network: string; words: readonly string[]; free: boolean }[] | undefined>(
  undefined,
)
export const run = signal(0)
export const tab = signal<Tab>("experiment")
export const sides = signal<readonly Side[]>([])
/** [side] -> the shown frame. */
export const pictures = signal<Readonly<Record<string, Frame>>>({})
export const heat = signal<HeatKind>("utilisation")
/** Cycles per second; infinity: maximum speed; NaN: automatic, slow at first and then faster. */
export const speed = signal(Number.NaN)
export const running = signal(false)
export const answer = signal<Answer | undefined>(undefined)
export const top = signal<{ channels: readonly TopRow[]; packets: readonly PacketRow[] }>({ channels: [], packets: [] })
export const finished = signal<readonly Finished[]>([])
export const sweeping = signal(false)
/** [hash] -> a run of the sweep that is not finished: it is simulated now, was stopped by the user, or failed. */
export const tasks = signal<Readonly<Record<string, Task>>>({})
/** The value that the curves show. */
export const measure = signal("latency.mean")
export const results = signal<ResultsRead | undefined>(undefined)
export const papers = signal<
  | readonly {
      id: string
      title: string
      claim: string
      says: string
      scaled: string
      experiments: Readonly<Record<string, unknown>>
    }[]
  | undefined
>(undefined)
export const figures = signal<readonly string[]>([])
/** The last message to the user, also for screen readers. */
export const said = signal("")
export const trouble = signal("")
/** Whether the fingerprint of a link equals that of this run. */
export const badge = signal<{ readonly agrees: boolean; readonly says: string } | undefined>(undefined)
export const busy = signal("")
/** The graphics driver has lost the picture, so Canvas 2D is used from now on. */
export const lostGl = signal(false)
export const matrix = signal(false)
export const difference = signal(false)
export const story = signal<StoryName | undefined>(undefined)
export const theme = signal<"dark" | "light">(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")
export const colouring = signal<Colouring>("age")
/** The sheet with the experiment, its runs and stored results is open; so are the lists of packets and channels. */
export const sheet = signal(false)
export const lists = signal(false)
/** The form next to the text of the experiment is shown. */
export const formOpen = signal(false)
/** The address of a studio that others can open; empty: that of this page. */
export const host = signal("")
/** The command bar is open. */
export const palette = signal(false)
/** The side that a narrow screen shows. */
export const narrow = signal<"A" | "B">("A")
/** Why a side accepts no more at a cycle, and a change that may remove the cause. */
export const cause = signal<
  | {
      readonly side: string
      readonly cycle: number
      readonly is: LimitAnswer
      readonly isDeadlock: boolean
      readonly cure: Cure | undefined
    }
  | undefined
>(undefined)
/** A sentence on the cure that B shows. */
export const gain = signal("")
/** The first difference of A and B up to cycle `last`, if there is one. */
export const first = signal<{ readonly last: number; readonly parting: Divergence | undefined } | undefined>(undefined)
