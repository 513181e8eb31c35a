// Packet sizes: all packets of a stream have the same size.
import { schema } from "../../core/schema.ts"
import type { SizesPlugin } from "../../model/plugin.ts"
import { count } from "../count.ts"

export default {
  kind: "sizes",
  name: "fixed",
  about: "All packets (messages) have the same size.",
  params: schema({ size: count("size of each") }),
  make: ({ size }) => ({ mean: size, max: size, fixed: size, size: () => size }),
} satisfies SizesPlugin<{ size: number }>
