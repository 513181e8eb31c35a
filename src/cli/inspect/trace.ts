// lacewing trace check | show | convert FILE: what a trace of an application holds and whether it can be run, before anything runs; the same in another form.
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import { type Command, Option } from "commander"
import { complain } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { partsOf, sourcesOf } from "../../experiment/disk/trace-files.ts"
import { type Look, lookAt } from "../../inspect/trace/look.ts"
import { matrixPicture } from "../../inspect/trace/picture.ts"
import { compactOf, goalOf, operationLines, readTrace, resolveCommunicators, traceFormats } from "../../library.ts"
import { NotReadable } from "../../model/host.ts"
import { Exit, exit, type Io } from "../command.ts"
import { positive, wholeNumber } from "../options.ts"
import { plainText, refusePlain, sayPlain } from "../plain.ts"

interface Options {
  readonly json?: boolean
  readonly format?: string
  readonly ranks?: number
  readonly flops?: number
  readonly rank?: number
  readonly lines: number
  readonly to?: "goal" | "lacewing"
  readonly out?: string
}
const actions = ["check", "show", "convert"] as const

export default function define(command: Command, io: Io): void {
  command
    .argument(
      "<action>",
      "check: totals, missing ranks, messages without a partner, circular waits; show: a picture; convert: another form",
    )
    .argument("<file>", "file, archive (.gz, .tar, .tar.gz), folder, or the .meta file of a DUMPI trace")
    .option("--json", "print one JSON object")
    .option("--format <name>", `what it is, if that is not plain: ${traceFormats.map((f) => f.name).join(", ")}`)
    .option("--ranks <n>", "ranks of a list of layers that does not say", positive)
    .option("--flops <n>", "operations per second of a rank, for traces that count them (1e9 unless given)", rate)
    .option("--rank <r>", "show: the operations of this rank", wholeNumber)
    .option("--lines <n>", "show: so many of them", positive, 40)
    .addOption(new Option("--to <form>", "convert: form to write").choices(["goal", "lacewing"]))
    .option("--out <file>", "convert: file to write")
    .action((action: string, file: string, o: Options) => perform(action, file, o, io))
}

function rate(value: string): number {
  const n = Number(value)
  if (!(n > 0 && Number.isFinite(n)))
    throw new Exit(exit.wrongInput, `--flops: "${value}" is not a rate\n  fix: write a number such as 1e9`)
  return n
}

async function perform(action: string, file: string, o: Options, io: Io): Promise<void> {
  const json = o.json === true
  if (!actions.some((a) => a === action))
    refusePlain([complain(action, "there is no such action", `choose one of ${actions.join(", ")}`)], io, json)
  if (action === "convert" && (o.to === undefined || o.out === undefined))
    refusePlain([complain("trace convert", "--to and --out are needed", "for example --to goal --out schedule.goal")], io, json)
  const look = await looked(file, o, io, action === "check" && json)
  if (action === "check") return check(look, io, json)
  if (action === "show") return show(look, o, io, json)
  await convert(look, file, o, io, json)
}

async function looked(file: string, o: Options, io: Io, digests: boolean): Promise<Look> {
  try {
    const options = { digests, ...(o.ranks === undefined ? {} : { ranks: o.ranks }), ...(o.flops === undefined ? {} : { flops: o.flops }) }
    const { trace, bad } = await readTrace(file, sourcesOf(await partsOf(file)), options, o.format)
    if (trace === undefined) return refusePlain(bad, io, o.json === true)
    return lookAt(file, trace)
  } catch (e) {
    if (e instanceof NotReadable || (e instanceof Error && "syscall" in e))
      return refusePlain([complain(file, unreadable(e), "check the path")], io, o.json === true)
    throw e
  }
}

function check(look: Look, io: Io, json: boolean): void {
  const { trace, checks, notes, bad } = look
  const ok = bad.length === 0
  if (json) io.out(JSON.stringify({ ok, format: trace.format, complaints: [...bad, ...notes], checks, ...trace.summary }))
  else io.out(textOf(look))
  for (const c of notes) sayPlain(c, io)
  if (!ok) throw new Exit(exit.wrongInput, bad.map((c) => plainText(c, io)).join("\n"))
}

function textOf({ trace, checks, collectives }: Look): string {
  const number = (x: unknown) => (typeof x === "number" ? x.toLocaleString("en") : String(x))
  const count = (x: unknown) => (typeof x === "object" && x !== null && "count" in x ? number(x.count) : "0")
  const rows = [
    ["format", trace.format],
    ["ranks", `${number(trace.ranks)}${trace.missing.length > 0 ? `, ${number(trace.missing.length)} of them missing` : ""}`],
    [
      "messages",
      `${number(checks["messages"] ?? 0)} of ${number(checks["bytes"] ?? 0)} bytes between ${number(checks["pairs"] ?? 0)} pairs`,
    ],
    ...collectiveRows(collectives),
    ...("notChecked" in checks
      ? [["not checked", String(checks["notChecked"])]]
      : [
          ["operations", number(checks["operations"])],
          ["sends without a receive", count(checks["unmatchedSends"])],
          ["receives without a send", count(checks["unmatchedReceives"])],
          ["ranks that wait for ever", count(checks["waiting"])],
        ]),
  ]
  return rows.map(([k, v]) => `${k!.padEnd(26)}${v}`).join("\n")
}

/** One row for each kind of collective. Bytes are those that ranks contribute; the messages depend on the algorithm. */
function collectiveRows(sums: Look["collectives"]): string[][] {
  return sums.map(({ name, calls, bytes }) => [
    name,
    `${calls.toLocaleString("en")} calls of ranks with ${bytes.toLocaleString("en")} bytes`,
  ])
}

function show(look: Look, o: Options, io: Io, json: boolean): void {
  const { trace, flows } = look
  if (o.rank !== undefined && (o.rank < 0 || o.rank >= trace.ranks))
    refusePlain([complain("--rank", `${o.rank} is no rank of the trace`, `choose one from 0 to ${trace.ranks - 1}`)], io, json)
  const lines = o.rank !== undefined && trace.program !== undefined ? operationLines(trace.program, o.rank, o.lines) : undefined
  if (json) {
    const sent = flows.map((list) => list.map((f) => [f.to, f.messages, f.bytes]))
    io.out(
      JSON.stringify({
        ok: look.bad.length === 0,
        format: trace.format,
        ranks: trace.ranks,
        sent,
        ...(lines === undefined ? {} : { operations: lines }),
      }),
    )
  } else io.out(lines !== undefined ? lines.join("\n") : `${textOf(look)}\n\n${matrixPicture(flows)}`)
  for (const c of [...look.notes, ...look.bad]) sayPlain(c, io)
}

async function convert(look: Look, file: string, o: Options, io: Io, json: boolean): Promise<void> {
  const { program, missing } = look.trace
  if (program === undefined || look.trace.bad.length > 0) refusePlain(look.bad, io, json)
  if (missing.length > 0) refusePlain(look.notes, io, json)
  let pieces: Iterable<string | Uint8Array>
  if (o.to === "goal") {
    const text = goalOf(program, resolveCommunicators(program), file)
    if ("bad" in text) return refusePlain(text.bad, io, json)
    pieces = text.ok()
  } else pieces = compactOf(program)
  const out = createWriteStream(o.out!)
  const done = finished(out)
  let bytes = 0
  for (const p of pieces) {
    const piece = typeof p === "string" ? `${p}\n` : p
    bytes += piece.length
    if (!out.write(piece)) await Promise.race([new Promise<void>((go) => out.once("drain", () => go())), done])
  }
  out.end()
  await done
  if (json) io.out(JSON.stringify({ ok: true, file: o.out, bytes }))
  else io.err(`${o.out}: ${bytes.toLocaleString("en")} bytes`)
}
