// lacewing cost NAME k=v…: prints the routers, cables, optics, price and power of a network.
import type { Command } from "commander"
import { books } from "../../compile/floor/pricebook.ts"
import { costText } from "../../inspect/cost-report.ts"
import { commandOf, costByDefault } from "../../inspect/topology-report.ts"
import type { Io } from "../command.ts"
import { describe } from "../help.ts"
import { bookOf, type NetworkOptions, networkOf, networkOptions, withNulls } from "../network-args.ts"
import { refusePlain } from "../plain.ts"

export default function define(command: Command, io: Io): void {
  describe(command, {
    notes: "A price file changes entries of the price list that its key base names.",
    lists: { "Price lists": books.map((b) => [b.name, b.about]) },
    examples: ["lacewing cost slimfly q=13 p=9", "lacewing cost dragonfly p=4 a=8 h=4 --prices fitfly-edr"],
  })
  networkOptions(command, io)
    .argument("<name>", "Topology, e.g. torus or dragonfly")
    .argument("[parameters...]", "Parameters as key=value, e.g. q=13 p=9")
    .option("--json", "Print one JSON object")
    .action((name: string, parameters: readonly string[], o: NetworkOptions) => {
      const book = bookOf(o, io)
      const built = networkOf(name, parameters, o, io)
      const made = costByDefault(built.topology, book)
      if ("bad" in made) refusePlain(made.bad, io, o.json === true)
      io.out(
        o.json === true
          ? withNulls(made.ok)
          : costText(made.ok, commandOf(built.plugin.name, built.raw), io.paint, io.fits),
      )
    })
}
