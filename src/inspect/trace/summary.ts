// Static checks of a trace, for `lacewing trace`: missing ranks, messages without a partner, and ranks that wait for
// one another.
import { type Complaint, complain } from "../../core/complaint.ts"
import { dryRun, findings, resolveCommunicators, trafficOf } from "../../library.ts"
import type { CollectiveSum, Flow } from "../../workloads/check/traffic.ts"
import type { Trace } from "../../workloads/formats/trace.ts"

const firstOnes = 10

export interface Look {
  readonly trace: Trace
  /** messages and bytes by sender and receiver */
  readonly flows: readonly (readonly Flow[])[]
  readonly collectives: readonly CollectiveSum[]
  readonly checks: Readonly<Record<string, unknown>>
  /** findings that do not prevent a run, and errors */
  readonly notes: readonly Complaint[]
  readonly bad: readonly Complaint[]
}

/** Checks a trace. `most`: limit of the operations that are followed. */
export function lookAt(name: string, trace: Trace, most?: number): Look {
  const notes = [...trace.notes]
  const bad = [...trace.bad]
  const { program } = trace
  if (program === undefined)
    return {
      trace,
      flows: [],
      collectives: [],
      checks: { ranks: trace.ranks, missingRanks: trace.missing, notChecked: "the trace is damaged" },
      notes,
      bad,
    }
  // Communicators are resolved first, because ranks of messages are relative to them.
  const resolved = resolveCommunicators(program)
  const { flows, collectives, unknown } = trafficOf(program, resolved)
  const sent = flows.flat()
  const sums = {
    ranks: trace.ranks,
    missingRanks: trace.missing,
    messages: sent.reduce((n, f) => n + f.messages, 0),
    bytes: sent.reduce((n, f) => n + f.bytes, 0),
    pairs: sent.length,
    collectives,
    ...(unknown > 0 ? { messagesOnUnknownCommunicators: unknown } : {}),
  }
  // Without all ranks, messages have no partners, so matching would report false errors.
  if (trace.missing.length > 0 || bad.length > 0) {
    const why = trace.missing.length > 0 ? "ranks are missing" : "the trace is damaged"
    return { trace, flows, collectives, checks: { ...sums, notChecked: `partners and waits: ${why}` }, notes, bad }
  }
  // The dry run matches sends and receives without times. It finds ranks that wait for ever.
  const dry = dryRun(program, resolved, most)
  if (dry.cut)
    return {
      trace,
      flows,
      collectives,
      checks: { ...sums, notChecked: `partners and waits: more than ${dry.operations} operations` },
      notes,
      bad,
    }
  bad.push(...findings(name, dry))
  if (dry.unmatchedSends.length > 0) {
    const s = dry.unmatchedSends[0]
    notes.push(
      complain(
        `${name}, rank ${s.rank}, operation ${s.op} (${s.call})`,
        `${dry.unmatchedSends.length} sends have no matching receive; the ` +
          `first goes to rank ${s.peer} with tag ${s.tag}`,
        "record the whole program, or use the trace as it is",
      ),
    )
  }
  const checks = {
    ...sums,
    operations: dry.operations,
    unmatchedSends: { count: dry.unmatchedSends.length, first: dry.unmatchedSends.slice(0, firstOnes) },
    unmatchedReceives: { count: dry.unmatchedReceives.length, first: dry.unmatchedReceives.slice(0, firstOnes) },
    waiting: { count: dry.waiting.length, first: dry.waiting.slice(0, firstOnes) },
    circularWaits: dry.circle,
  }
  return { trace, flows, collectives, checks, notes, bad }
}
