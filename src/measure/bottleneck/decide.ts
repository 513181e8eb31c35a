// Decides why a saturated network accepts no more, from what a run counted in its window. A link that is never idle is
// a bottleneck whatever the switches do, so links are tested first. If no link is full, one of two causes remains:
// either the crossbars do not serve packets that could leave, or credits return too late for a short buffer. The heads
// of the queues show which. In every other case the cause is not decided.
//
// The run calls it for its result (run/clocked/open.ts, run/packet/simulate.ts); sentence.ts describes the cause.

/** What a run counted. Arrays are indexed by channel of the graph. */
export interface Evidence {
  /** [channel] -> next input port, or -2 - endpoint */
  readonly far: ArrayLike<number>
  /** share of the window in which the channel carried data, 0 to 1 */
  readonly use: ArrayLike<number>
  /** share of the window in which each endpoint sent into the network, relative to its links; NaN if it never sends */
  readonly sent: ArrayLike<number>
  /** part of what the endpoints sent that arrived in the window */
  readonly arrived: number
  /** queues at the channels; absent if the engine does not sample them */
  readonly queues?: Queues
}

export interface Queues {
  /** mean flits that are queued for the channel */
  readonly queued: ArrayLike<number>
  /** the part of it whose head packet has credits */
  readonly ready: ArrayLike<number>
  /** the part of it whose head packet has no credits although no packet waits in the buffer that returns them */
  readonly returning: ArrayLike<number>
}

export type Bottleneck =
  /** links to endpoints are full */
  | { readonly cause: "endpoint" | "link"; readonly channel: number; readonly use: number; readonly full: number }
  /** the endpoints' own links into the network are full */
  | { readonly cause: "source"; readonly use: number; readonly full: number; readonly sending: number }
  /** packets wait for credits that have not returned yet, so the buffer is shorter than the round trip */
  | { readonly cause: "credits"; readonly channel: number; readonly use: number }
  /** packets could leave, but their switch serves others first */
  | { readonly cause: "crossbar"; readonly channel: number; readonly use: number }
  | { readonly cause: "undecided"; readonly channel: number; readonly use: number }

/** A link between switches with this utilisation is full: the rest are gaps between packets. */
const LINK_FULL = 0.9
/** The same for links to and from endpoints. Random traffic that just fits uses them less. */
const FULL = 0.95
/** If no link that packets wait for has this utilisation, links do not limit the load. */
const FREE = 0.85
/** Part of the queued flits at the beginning of all chains of waiting packets that one cause must explain. */
const MOST = 0.7
/** Part of the sending endpoints whose links must be full if the sources are the limit. */
const HALF = 0.5
/** If this part of the packets that could leave waits for one link, this link may be the cause although it has gaps. */
const ALONE = 0.25
/** Queues of fewer flits in the whole network than this for each sending endpoint are not what holds the load back. */
const SOME = 0.5

export function decide(e: Evidence): Bottleneck {
  const busiest = busiestOf(e)
  return fullLink(e) ?? fullSources(e) ?? (busiest.use < FREE ? inSwitches(e, busiest.use) : undefined) ?? busiest
}

/** The full link with the longest queue; without queues, the one that is used most. */
function fullLink({ far, use, queues }: Evidence): Bottleneck | undefined {
  let channel = -1
  let full = 0
  for (let c = 0; c < use.length; c++) {
    if (use[c] < (far[c] < 0 ? FULL : LINK_FULL) || (queues !== undefined && queues.queued[c] === 0)) continue
    full++
    const weight = queues?.queued ?? use
    if (channel < 0 || weight[c] > weight[channel]) channel = c
  }
  return channel < 0 ? undefined : { cause: far[channel] < 0 ? "endpoint" : "link", channel, use: use[channel], full }
}

/** Endpoints that send at full rate are not the limit while the network fills with their packets. */
function fullSources({ sent, arrived }: Evidence): Bottleneck | undefined {
  if (arrived < FULL) return undefined
  let [sending, full, sum] = [0, 0, 0]
  for (let i = 0; i < sent.length; i++) {
    if (!(sent[i] > 0)) continue
    sending++
    if (sent[i] < FULL) continue
    full++
    sum += sent[i]
  }
  return full > 0 && full >= HALF * sending ? { cause: "source", use: sum / full, full, sending } : undefined
}

/**
 * Chains of packets that wait for one another end at heads that have credits, or whose credits have not returned yet. The
 * kind with by far the most flits is the cause.
 */
function inSwitches({ queues, sent, use }: Evidence, busiest: number): Bottleneck | undefined {
  if (queues === undefined) return undefined
  const { queued, ready, returning } = queues
  if (sum(queued) < SOME * sending(sent)) return undefined
  const [could, late] = [sum(ready), sum(returning)]
  const first = largest(ready)
  if (could > 0 && could >= MOST * (could + late))
    return ready[first] > ALONE * could ? undefined : { cause: "crossbar", channel: first, use: busiest }
  if (late === 0 || late < MOST * (could + late)) return undefined
  const channel = largest(returning)
  return { cause: "credits", channel, use: use[channel] }
}

function busiestOf({ use, queues }: Evidence): { cause: "undecided"; channel: number; use: number } {
  let channel = -1
  for (let c = 0; c < use.length; c++)
    if ((queues === undefined || queues.queued[c] > 0) && (channel < 0 || use[c] > use[channel])) channel = c
  return { cause: "undecided", channel, use: channel < 0 ? 0 : use[channel] }
}

function sending(sent: ArrayLike<number>): number {
  let n = 0
  for (let i = 0; i < sent.length; i++) if (sent[i] > 0) n++
  return n
}

function sum(values: ArrayLike<number>): number {
  let all = 0
  for (let i = 0; i < values.length; i++) all += values[i]
  return all
}

function largest(values: ArrayLike<number>): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i
  return best
}
