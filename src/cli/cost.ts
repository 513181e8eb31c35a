// lacewing cost NAME k=v…: routers, cables, optics, price and power of a network.
import type { Command } from "commander"
import { books } from "../compile/floor/pricebook.ts"
import { costText } from "../inspect/cost-report.ts"
import { commandOf, costByDefault } from "../inspect/topology-report.ts"
import type { Io } from "./command.ts"
import { bookOf, type NetworkOptions, networkOf, networkOptions, withNulls } from "./network-args.ts"
import { refusePlain } from "./plain.ts"

export default function define(command: Command, io: Io): void {
  networkOptions(command)
    .argument("<name>", "topology")
    .argument("[parameters...]", "parameters as k=v, for example q=13 p=9")
    .addHelpText(
      "after",
      `\nPrice books:\n${books.map((b) => `  ${b.name.padEnd(12)}${b.about}`).join("\n")}\nA file changes entries of the book that its key base names.`,
    )
    .action((name: string, parameters: readonly string[], o: NetworkOptions) => {
      const book = bookOf(o, io)
      const built = networkOf(name, parameters, o, io)
      const made = costByDefault(built.topology, book)
      if ("bad" in made) refusePlain(made.bad, io, o.json === true)
      io.out(o.json === true ? withNulls(made.ok) : costText(made.ok, commandOf(built.plugin.name, built.raw), io.paint, io.fits))
    })
}
