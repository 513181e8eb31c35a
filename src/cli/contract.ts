// lacewing contract MODULE…: runs the contract tests of its family on every plug-in of a module, and prints the
// violated rules. src/inspect/contract has the tests.
import type { Command } from "commander"
import { type Complaint, complain } from "../core/complaint.ts"
import { counted } from "../core/wording.ts"
import { moduleFrom } from "../experiment/gate.ts"
import { loadModules } from "../experiment/outside/load.ts"
import { contractOf, type Judged } from "../inspect/contract/contract.ts"
import type { NetworkName } from "../inspect/contract/networks.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { liveLine } from "./live-line.ts"
import { parameters } from "./network-args.ts"
import { collect } from "./options.ts"
import { refusePlain } from "./plain.ts"

type Options = {
  readonly topology?: readonly string[]
  readonly param?: readonly string[]
  readonly json?: boolean
  readonly quick?: boolean
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "Use `--quick` while you write a plug-in. Without it, each plug-in is tested with several sets of parameters.",
    examples: [
      "lacewing contract my-routing.mjs",
      'lacewing contract my-routing.mjs --topology "torus sides=4x4" --param threshold=3',
    ],
    exits: { 1: "a test failed" },
  })
  command
    .argument("<module...>", "Modules with plug-ins (.mjs, .js, .ts). They are executed")
    .option(
      "--topology <network>",
      'Network to test on, e.g. "torus sides=4x4" (default: several per topology). Repeatable',
      collect,
    )
    .option("--param <key=value>", "Set a parameter of the plug-in. Repeatable", collect)
    .option("--quick", "Test only the default parameters")
    .option("--json", "Print one JSON object")
    .action((modules: readonly string[], o: Options) => contract(modules, o, io))
}

async function contract(paths: readonly string[], o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const given = paths.map((path) => moduleFrom("command line", path).ok)
  const loaded = await loadModules(given, ".", (i) => given[i])
  if ("bad" in loaded) refusePlain(loaded.bad, io, json)
  const modules = loaded.ok
  const plugins = modules.flatMap((m) => m.plugins)
  const bad: Complaint[] = []
  const params = parameters(o.param ?? [], "--param", bad)
  const on = o.topology?.map((text) => networkOf(text, bad))
  const known = new Set(plugins.flatMap((p) => Object.keys(p.params.fields)))
  for (const key of Object.keys(params).filter((k) => !known.has(k)))
    bad.push(
      complain(
        `--param ${key}`,
        "No plug-in of these modules has this parameter.",
        known.size > 0 ? `choose one of ${[...known].join(", ")}` : "remove it",
      ),
    )
  if (bad.length > 0) refusePlain(bad, io, json)
  const judged: Judged[] = []
  const live = liveLine(io)
  for (const plugin of plugins) {
    const raw = Object.fromEntries(Object.entries(params).filter(([key]) => Object.hasOwn(plugin.params.fields, key)))
    const got = await contractOf(plugin, {
      modules,
      raw,
      quick: o.quick === true,
      progress: live.show,
      ...(on === undefined || plugin.kind === "topology" ? {} : { on }),
    })
    live.clear()
    if ("bad" in got) refusePlain(got.bad, io, json)
    judged.push(got.ok)
    if (!json) io.out(told(got.ok, io))
  }
  const ok = judged.every((j) => j.broken.length === 0)
  if (json) io.out(JSON.stringify({ ok, plugins: judged }))
  if (!ok) throw new Exit(exit.failed)
}

function networkOf(text: string, bad: Complaint[]): NetworkName {
  const [name = "", ...rest] = text.trim().split(/\s+/)
  return { name, raw: parameters(rest, "--topology", bad) }
}

/** Formats the result of one plug-in: its violations, or that it passes. */
function told(j: Judged, io: Io): string {
  const { paint } = io
  const lines = [
    `${paint.bold(`${j.kind} ${j.name}`)} of ${j.file}, on ${j.on.join(", ")}`,
    ...j.held.map((c) => `  ${paint.green("passes")}  ${c}`),
    ...j.broken.map((f) => `  ${paint.red("fails")}   ${f.contract}\n            on ${f.on}: ${f.says}`),
    ...(j.broken.length > 0 ? [paint.dim("  The other tests run when this one passes.")] : []),
    ...lookedAt(j).map((text) => `  ${paint.dim(text)}`),
    ...j.left.map((l) => `  ${paint.dim(`not tested: ${l}`)}`),
  ]
  return lines.join("\n")
}

/** Returns lines with the number of tests and the parameters that were used. */
function lookedAt({ sets, on, drawn, undrawn }: Judged): string[] {
  if (!drawn) return []
  const parameters = counted(sets.length, "set of parameters", "sets of parameters")
  return [
    `Tested with ${parameters} on ${counted(on.length, "network")}. --quick tests only the default parameters.`,
    ...(sets.length > 1 ? [`Random parameters: ${sets.filter((s) => s !== "").join("; ")}`] : []),
    ...(undrawn.length > 0 ? [`Not varied: ${undrawn.join(", ")}. Set them with --param KEY=VALUE or --topology`] : []),
  ]
}
