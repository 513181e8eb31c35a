// lacewing explain KEY: prints the meaning, unit, range, default and source of a key, a value, a plug-in or a term.
import type { Command } from "commander"
import { type Explanation, explain } from "../inspect/explain.ts"
import { commandExplained } from "../manual-pages/entry.ts"
import { experimentsExplained } from "../manual-pages/experiments.ts"
import type { Paint } from "../terminal/paint.ts"
import { table } from "../terminal/table.ts"
import { wrap } from "../terminal/wrap.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { listedBeside } from "./manual/listed.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

/** If more entries than this have the same name, each is shown in one line. */
const atOnce = 4

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: [
      "lacewing explain network.switch.vcs",
      "lacewing explain dragonfly.ugal-l",
      "lacewing explain saturation",
    ],
  })
  command
    .argument("<key>", "Key, plug-in, result column, command, stop reason or term, e.g. traffic.load or latency.p99")
    .option("--json", "Print a JSON list")
    .option(...pluginsOption)
    .action(async (key: string, o: WithPlugins & { json?: boolean }) => {
      const got = explain(key, await catalogWith(o, io, o.json === true), [
        ...listedBeside(command).map(commandExplained),
        ...experimentsExplained(),
      ])
      if ("bad" in got)
        throw new Exit(exit.wrongInput, got.bad.map((c) => `${c.path}: ${c.says}\n  fix: ${c.fix}`).join("\n"))
      if (o.json === true) return io.out(JSON.stringify(got.ok))
      const keys = new Set(got.ok.map((e) => e.key))
      const tell = (all: readonly Explanation[]) => all.map((e) => told(e, io.paint, io.fits ?? Infinity)).join("\n\n")
      if (keys.size <= atOnce) return io.out(tell(got.ok))
      const exact = got.ok.filter((e) => e.key === key)
      if (exact.length > 0) io.out(`${tell(exact)}\n`)
      const rows = [...keys]
        .filter((k) => k !== key)
        .map((k) => [io.paint.cyan(k), got.ok.find((e) => e.key === k)!.about])
      io.out(
        `${table([{ head: "key" }, { head: "meaning" }], rows, io.paint, io.fits)}\n${io.paint.dim("\nlacewing explain KEY describes one of them in full")}`,
      )
    })
}

function told(e: Explanation, paint: Paint, width: number): string {
  const value =
    e.default === undefined
      ? e.required === true
        ? "none, the key is required"
        : undefined
      : typeof e.default === "string"
        ? e.default
        : JSON.stringify(e.default)
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["meaning", e.about],
    ["type", e.type],
    ["unit", e.unit],
    ["range", e.range],
    ["default", e.type === undefined ? undefined : value],
    ["aliases", e.aliases?.join(", ")],
    ["limits", e.limits],
    ["set by", e.given],
    ["missing", e.missing === undefined ? undefined : `if ${e.missing}`],
    ["source", e.source],
    ["more", e.page === undefined ? undefined : `lacewing manual ${e.key}`],
    ["keys", e.keys?.join(e.keys.some((k) => k.includes(":")) ? `\n${" ".repeat(11)}` : ", ")],
  ]
  const body = lines
    .filter(([, text]) => text !== undefined && text !== "")
    .map(([name, text]) => {
      const lines = text!.split("\n").flatMap((line) => wrap(line.trim(), width - 11))
      return `  ${paint.dim(name.padEnd(9))}${lines.join(`\n${" ".repeat(11)}`)}`
    })
  return [paint.bold(e.key), ...body].join("\n")
}
