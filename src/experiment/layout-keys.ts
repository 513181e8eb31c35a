// The keys of `network.layout`: positions of routers in cabinets. compile/floor/ computes cable lengths from them.
import { int, schema } from "../core/schema.ts"
import { raw } from "./fields.ts"

export const layoutKeys = schema({
  routers: int({ about: "Number of routers in a cabinet; groups that fit stay together", min: 1, default: 16 }),
  width: raw("length", { about: "Distance from one cabinet to the next in a row", default: "0.8m" }),
  depth: raw("length", { about: "Distance from one row of cabinets to the next", default: "2.4m" }),
  inside: raw("length", { about: "Length of a cable inside a cabinet, cables to endpoints included", default: "2m" }),
  overhead: raw("length", {
    about: "Length that a cable between two cabinets needs in addition to the distance along the floor",
    default: "3m",
  }),
  delay: raw("time", { about: "Propagation delay of one metre of cable", default: "5ns" }),
})
