// The text of `lacewing cost`: one row per part, and the sum.

import { type Paint, plainPaint } from "../terminal/paint.ts"
import { short, table } from "../terminal/table.ts"
import type { Cost } from "./cost.ts"

export function costText(cost: Cost, title: string, paint: Paint = plainPaint, width = Infinity): string {
  const money = (value: number) => Math.round(value).toLocaleString("en")
  const power = (watts: number | undefined) => (watts === undefined ? "–" : short(watts / 1000, 4))
  const rows = cost.rows.map((r) => [
    r.item === "router" ? "routers" : `${r.item} links`,
    r.medium ?? "",
    r.count.toLocaleString("en"),
    r.metres === undefined ? "" : short(r.metres / r.count, 3),
    money(r.each),
    money(r.price),
    power(r.watts),
  ])
  const { total } = cost
  const right = (head: string) => ({ head, align: "right" as const })
  return [
    `${paint.bold(title)}  ${paint.dim(`price list ${cost.book}`)}`,
    "",
    table(
      [
        { head: "part" },
        { head: "" },
        right("number"),
        right("metres each"),
        right(`${cost.currency} each`),
        right(cost.currency),
        right("kW"),
      ],
      [...rows, ["all", "", "", "", "", money(total.price), power(total.watts)]],
      paint,
      width,
    ),
    "",
    `${money(total.pricePerEndpoint)} ` +
      `${cost.currency}${total.wattsPerEndpoint === undefined ? "" : ` and ${short(total.wattsPerEndpoint, 3)} W`} ` +
      `per endpoint; ${total.links.toLocaleString("en")} links, ${total.cabinets.toLocaleString("en")} ` +
      "cabinets",
    ...(total.watts === undefined ? [paint.dim("this price list does not contain power")] : []),
  ].join("\n")
}
