// lacewing explain KEY: meaning, unit, range, default, source.
import type { Command } from "commander"
import { Catalog } from "../lab/catalog.ts"
import { type Explanation, explain } from "../lab/explain.ts"
import type { Paint } from "../lab/paint.ts"
import { Exit, exit, type Io } from "./command.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("<key>", "for example network.switch.vcs, traffic.load, dragonfly.ugal-l, latency.p99")
    .option("--json", "print a JSON list")
    .action((key: string, o: { json?: boolean }) => {
      const got = explain(key, new Catalog())
      if ("bad" in got) throw new Exit(exit.wrongInput, got.bad.map((c) => `${c.path}: ${c.says}\n  fix: ${c.fix}`).join("\n"))
      io.out(o.json === true ? JSON.stringify(got.ok) : got.ok.map((e) => told(e, io.paint)).join("\n\n"))
    })
}

function told(e: Explanation, paint: Paint): string {
  const value =
    e.default === undefined
      ? e.required === true
        ? "none: it must be given"
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
    ["also", e.aliases?.join(", ")],
    ["limits", e.limits],
    ["source", e.source],
    ["keys", e.keys?.join(e.keys.some((k) => k.includes(":")) ? `\n${" ".repeat(11)}` : ", ")],
  ]
  const body = lines.filter(([, text]) => text !== undefined && text !== "").map(([name, text]) => `  ${paint.dim(name.padEnd(9))}${text}`)
  return [paint.bold(e.key), ...body].join("\n")
}
