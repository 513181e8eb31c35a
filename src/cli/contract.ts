// lacewing contract MODULE…: runs the contract suite of its family on every plug-in of a module, and names what breaks.
import type { Command } from "commander"
import { type Complaint, complain } from "../core/complaint.ts"
import { moduleFrom } from "../experiment/gate.ts"
import { loadModules } from "../experiment/outside/load.ts"
import { contractOf, type Judged } from "../inspect/contract/contract.ts"
import type { NetworkName } from "../inspect/contract/networks.ts"
import { Exit, exit, type Io } from "./command.ts"
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
  command
    .argument("<module...>", "modules with plug-ins (.mjs, .js, .ts); they are executed")
    .option(
      "--topology <name k=v …>",
      'network to look at it on, for example "torus sides=4x4", in place of the usual ones (may be repeated)',
      collect,
    )
    .option("--param <key=value>", "parameter of the plug-in (may be repeated)", collect)
    .option("--quick", "try the default parameters alone, draw none")
    .option("--json", "print one JSON object")
    .action((modules: readonly string[], o: Options) => contract(modules, o, io))
}

async function contract(paths: readonly string[], o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const given = paths.map((path) => moduleFrom("command line", path).ok)
  const loaded = await loadModules(given, ".", (i) => given[i]!)
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
        "no plug-in here has this parameter",
        known.size > 0 ? `choose one of ${[...known].join(", ")}` : "leave it out",
      ),
    )
  if (bad.length > 0) refusePlain(bad, io, json)
  const judged: Judged[] = []
  for (const plugin of plugins) {
    const raw = Object.fromEntries(Object.entries(params).filter(([key]) => Object.hasOwn(plugin.params.fields, key)))
    const got = await contractOf(plugin, {
      modules,
      raw,
      quick: o.quick === true,
      ...(io.live ? { progress: (text) => io.raw(`\r\x1b[K${text.slice(0, io.width - 1)}`) } : {}),
      ...(on === undefined || plugin.kind === "topology" ? {} : { on }),
    })
    if (io.live) io.raw("\r\x1b[K")
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

function told(j: Judged, io: Io): string {
  const { paint } = io
  const lines = [
    `${paint.bold(`${j.kind} ${j.name}`)} of ${j.file}, on ${j.on.join(", ")}`,
    ...j.held.map((c) => `  ${paint.green("holds")}   ${c}`),
    ...j.broken.map((f) => `  ${paint.red("broken")}  ${f.contract}\n            on ${f.on}: ${f.says}`),
    ...(j.broken.length > 0 ? [paint.dim("  the other contracts are judged when this holds")] : []),
    ...lookedAt(j).map((text) => `  ${paint.dim(text)}`),
    ...j.left.map((l) => `  ${paint.dim(`not tried  ${l}`)}`),
  ]
  return lines.join("\n")
}

/** Says how much was tried, and with which parameters. */
function lookedAt({ sets, on, drawn, undrawn }: Judged): string[] {
  if (!drawn) return []
  const count = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`
  const parameters = count(sets.length, "set of parameters", "sets of parameters")
  return [
    `looked at ${parameters} on ${count(on.length, "network", "networks")}; the defaults alone with --quick`,
    ...(sets.length > 1 ? [`drew ${sets.filter((s) => s !== "").join("; ")}`] : []),
    ...(undrawn.length > 0 ? [`not drawn: ${undrawn.join(", ")}`] : []),
  ]
}
