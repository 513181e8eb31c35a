// lacewing trace check | show | convert FILE: prints the content of a trace and whether it can be run, prints its
// operations, or converts it to another format. Nothing is simulated.
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import { type Command, Option } from "commander"
import { complain } from "../../core/complaint.ts"
import { counted } from "../../core/wording.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { partsOf, sourcesOf } from "../../experiment/disk/trace-files.ts"
import { matrixPicture } from "../../inspect/trace/picture.ts"
import { type Look, lookAt } from "../../inspect/trace/summary.ts"
import {
  compactOf,
  goalOf,
  operationLines,
  readTrace,
  resolveCommunicators,
  traceFormats,
  workloads,
} from "../../library.ts"
import { NotReadable } from "../../model/host.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe, listOf } from "../help.ts"
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
  describe(command, {
    lists: {
      Actions: [
        ["check", "Print totals, missing ranks, unmatched messages and cyclic waits"],
        ["show", "Print the communication matrix, or the operations of one rank"],
        ["convert", "Write the trace in another format"],
      ],
    },
    examples: [
      "lacewing trace check trace.goal",
      "lacewing trace show trace.goal --rank 0 --lines 20",
      "lacewing trace convert dumpi.meta --to goal --out schedule.goal",
    ],
  })
  command
    .argument("<action>", `One of ${listOf(actions)}, see below`)
    .argument("<file>", "File, archive (.gz, .tar, .tar.gz), folder, or the .meta file of a DUMPI trace")
    .optionsGroup("Input")
    .option("--format <name>", `Input format, if detection fails: ${traceFormats.map((f) => f.name).join(", ")}`)
    .option("--ranks <n>", "Number of ranks, for a list of layers that does not contain it", positive)
    .option("--flops <n>", "Operations per second of a rank, for traces that count them (default: 1e9)", rate)
    .optionsGroup("show")
    .option("--rank <r>", "Print the operations of this rank", wholeNumber)
    .option("--lines <n>", "Maximum number of operations to print", positive, 40)
    .optionsGroup("convert")
    .addOption(new Option("--to <format>", "Output format").choices(["goal", "lacewing"]))
    .option("--out <file>", "File to write")
    .optionsGroup("Output")
    .option("--json", "Print one JSON object")
    .action((action: string, file: string, o: Options) => perform(action, file, o, io))
}

function rate(value: string): number {
  const n = Number(value)
  if (!(n > 0 && Number.isFinite(n)))
    throw new Exit(exit.wrongInput, `--flops: "${value}" is not a rate.\n  fix: write a number such as 1e9`)
  return n
}

async function perform(action: string, file: string, o: Options, io: Io): Promise<void> {
  const json = o.json === true
  if (!actions.some((a) => a === action))
    refusePlain([complain(action, "There is no such action.", `choose ${listOf(actions)}`)], io, json)
  if (action === "convert" && (o.to === undefined || o.out === undefined))
    refusePlain(
      [
        complain(
          "trace convert",
          "This action requires --to and --out.",
          "add them, for example --to goal --out schedule.goal",
        ),
      ],
      io,
      json,
    )
  const look = await looked(file, o, io, action === "check" && json)
  if (action === "check") return check(look, io, json)
  if (action === "show") return show(look, o, io, json)
  await convert(look, file, o, io, json)
}

/** Reads and checks a trace; ends the command if a file cannot be read. */
async function looked(file: string, o: Options, io: Io, digests: boolean): Promise<Look> {
  try {
    const options = {
      digests,
      ...(o.ranks === undefined ? {} : { ranks: o.ranks }),
      ...(o.flops === undefined ? {} : { flops: o.flops }),
    }
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
  if (json)
    io.out(JSON.stringify({ ok, format: trace.format, complaints: [...bad, ...notes], checks, ...trace.summary }))
  else io.out(textOf(look))
  for (const c of notes) sayPlain(c, io)
  if (!ok) throw new Exit(exit.wrongInput, bad.map((c) => plainText(c, io)).join("\n"))
}

function textOf({ trace, checks, collectives }: Look): string {
  const number = (x: unknown) => (typeof x === "number" ? x.toLocaleString("en") : String(x))
  const count = (x: unknown) => (typeof x === "object" && x !== null && "count" in x ? number(x.count) : "0")
  const rows = [
    ["format", trace.format],
    [
      "ranks",
      `${number(trace.ranks)}${trace.missing.length > 0 ? `, ${number(trace.missing.length)} of them missing` : ""}`,
    ],
    [
      "messages",
      `${number(checks["messages"] ?? 0)}, ${number(checks["bytes"] ?? 0)} bytes in total, between ${number(checks["pairs"] ?? 0)} pairs of ranks`,
    ],
    ...collectiveRows(collectives),
    ...("notChecked" in checks
      ? [["not checked", String(checks["notChecked"])]]
      : [
          ["operations", number(checks["operations"])],
          ["sends without a receive", count(checks["unmatchedSends"])],
          ["receives without a send", count(checks["unmatchedReceives"])],
          ["ranks that wait forever", count(checks["waiting"])],
        ]),
  ]
  return rows.map(([k, v]) => `${k!.padEnd(26)}${v}`).join("\n")
}

/**
 * Returns one row for each kind of collective. The bytes are those that ranks contribute; the number of messages
 * depends on the algorithm.
 */
function collectiveRows(sums: Look["collectives"]): string[][] {
  return sums.map(({ name, calls, bytes }) => [
    name,
    `${counted(calls, "call")} by ranks, ${counted(bytes, "byte")} in total`,
  ])
}

function show(look: Look, o: Options, io: Io, json: boolean): void {
  const { trace, flows } = look
  if (o.rank !== undefined && (o.rank < 0 || o.rank >= trace.ranks))
    refusePlain(
      [complain("--rank", `The trace has no rank ${o.rank}.`, `choose a rank from 0 to ${trace.ranks - 1}`)],
      io,
      json,
    )
  const lines =
    o.rank !== undefined && trace.program !== undefined ? operationLines(trace.program, o.rank, o.lines) : undefined
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
  } else {
    const other = workloads.namedUnit(program)
    if (other !== undefined)
      refusePlain(
        [
          complain(
            file,
            `Rank ${other.rank} uses ${other.unit}, which the compact format does not contain.`,
            "convert to GOAL (--to goal)",
          ),
        ],
        io,
        json,
      )
    pieces = compactOf(program)
  }
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
  else io.err(`Wrote ${o.out} (${counted(bytes, "byte")}).`)
}
