// `network.layout`: where routers stand. What becomes of it: compile/floor/.
import { int, schema } from "../core/schema.ts"
import { raw } from "./fields.ts"

export const layoutKeys = schema({
  routers: int({ about: "routers in a cabinet; groups that fit are kept together", min: 1, default: 16 }),
  width: raw("length", { about: "from one cabinet to the next in a row", default: "0.8m" }),
  depth: raw("length", { about: "from one row to the next", default: "2.4m" }),
  inside: raw("length", { about: "cable inside a cabinet, to endpoints too", default: "2m" }),
  overhead: raw("length", { about: "cable between two cabinets beyond the way along the floor", default: "3m" }),
  delay: raw("time", { about: "delay of one metre of cable", default: "5ns" }),
})
