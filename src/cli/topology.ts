// lacewing topology NAME k=v…: prints the properties of a network without a simulation, or exports its graph to a file.
import { writeFileSync } from "node:fs"
import { type Command, InvalidArgumentError, Option } from "commander"
import { complain } from "../core/complaint.ts"
import { fractionOf } from "../core/units.ts"
import { type ExportForm, exportForms, toEdges, toGraphml, toJson } from "../draw/topology/export.ts"
import { draw } from "../draw/topology/svg.ts"
import type { Catalog } from "../experiment/catalog.ts"
import { portsOfRouter } from "../inspect/router-ports.ts"
import type { Built } from "../inspect/topology-build.ts"
import { commandOf, report, reportText } from "../inspect/topology-report.ts"
import { table } from "../terminal/table.ts"
import type { Io } from "./command.ts"
import { describe } from "./help.ts"
import { bookOf, type NetworkOptions, networkOf, networkOptions, withNulls } from "./network-args.ts"
import { refusePlain } from "./plain.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

interface Options extends NetworkOptions, WithPlugins {
  readonly export?: ExportForm
  readonly out?: string
  readonly bisection: boolean
  readonly load?: number
  readonly router?: number
}

export default function define(command: Command, io: Io): void {
  describe(command, {
    notes: "Without a name, lists all topologies with their parameters.",
    examples: [
      "lacewing topology",
      "lacewing topology slimfly q=13 p=9",
      "lacewing topology dragonfly p=2 a=4 h=2 --export svg --out dragonfly.svg",
      "lacewing topology mesh sides=4x4 --router 5",
    ],
  })
  command
    .argument("[name]", "Topology, e.g. torus or dragonfly")
    .argument("[parameters...]", "Parameters as key=value, e.g. q=13 p=9 or sides=8x8")
    .optionsGroup("Network")
  networkOptions(command, io)
    .option(...pluginsOption)
    .optionsGroup("Report")
    .option("--no-bisection", "Skip the bisection, which takes longest on large networks")
    .addOption(
      new Option("--load <fraction>", "Offered uniform load for the link loads")
        .argParser(loadOf)
        .default(undefined, "1"),
    )
    .addOption(new Option("--router <number>", "Print the ports of a router instead").argParser(numberOf))
    .option("--json", "Print one JSON object")
    .optionsGroup("Export")
    .addOption(new Option("--export <format>", "Write the network instead of the report").choices([...exportForms]))
    .option("--out <file>", "File to write with --export (default: standard output)")
    .action(async (name: string | undefined, parameters: readonly string[], o: Options) => {
      const catalog = await catalogWith(o, io, o.json === true)
      if (name === undefined) return io.out(o.json === true ? JSON.stringify(all(catalog)) : list(catalog, io))
      const built = networkOf(name, parameters, o, io, catalog)
      const title = commandOf(built.plugin.name, built.raw)
      if (o.export !== undefined) return write(exported(built, o.export, title, io, o), o.out, io)
      if (o.router !== undefined) return io.out(portsText(built, o.router, io, o))
      const book = bookOf(o, io)
      const made = report(built, {
        bisection: o.bisection,
        ...(book !== undefined ? { book } : {}),
        ...(o.load !== undefined ? { load: o.load } : {}),
      })
      if ("bad" in made) refusePlain(made.bad, io, o.json === true)
      io.out(o.json === true ? withNulls(made.ok) : reportText(made.ok, title, built.plugin.about, io.paint))
    })
}

function loadOf(text: string): number {
  const load = fractionOf(text)
  if (typeof load === "string" || load <= 0) throw new InvalidArgumentError("Write a load such as 0.9 or 90%.")
  return load
}

function numberOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Write the number of a router, e.g. 0.")
  return Number(text)
}

function portsText({ topology }: Built, router: number, io: Io, o: Options): string {
  const ports = portsOfRouter(topology, router)
  if (ports === undefined) {
    const { routers } = topology.graph
    const fix = `choose a number from 0 to ${routers - 1}`
    return refusePlain([complain("--router", `there is no router ${router}`, fix)], io, o.json === true)
  }
  if (o.json === true) return JSON.stringify({ router, label: topology.label(router), ports })
  const rows = ports.map(({ port, to, class: name = "" }) => {
    if (to === undefined) return [String(port), "not connected", "", name]
    if ("endpoint" in to) return [String(port), `endpoint ${to.endpoint}`, "", name]
    return [String(port), `router ${to.router} ${to.label}`, String(to.port), name]
  })
  const heads = [
    { head: "port", align: "right" as const },
    { head: "leads to" },
    { head: "its port" },
    { head: "class" },
  ]
  return table(heads, rows, io.paint, io.fits)
}

function all(catalog: Catalog): { name: string; about: string; cites?: string; params: object }[] {
  return catalog.family("topology").map((t) => ({
    name: t.name,
    about: t.about,
    ...(t.cites !== undefined ? { cites: t.cites } : {}),
    params: t.params.describe(),
  }))
}

function list(catalog: Catalog, io: Io): string {
  const rows = catalog
    .family("topology")
    .map((t) => [io.paint.cyan(t.name), Object.keys(t.params.fields).join(" "), t.about])
  return table([{ head: "topology" }, { head: "parameters" }, { head: "about" }], rows, io.paint, io.fits)
}

function exported(built: Built, form: ExportForm, title: string, io: Io, o: Options): string {
  const { topology, params } = built
  if (form === "edges") return toEdges(topology, title)
  if (form === "json") return toJson(topology, params)
  if (form === "graphml") return toGraphml(topology)
  const picture = draw(topology, title)
  return "bad" in picture ? refusePlain(picture.bad, io, o.json === true) : picture.ok
}

function write(text: string, file: string | undefined, io: Io): void {
  if (file === undefined) io.out(text.trimEnd())
  else {
    writeFileSync(file, text)
    io.err(`Wrote ${file} (${text.length.toLocaleString("en")} characters).`)
  }
}
