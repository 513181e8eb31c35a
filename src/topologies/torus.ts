// k-ary n-cube (torus); see cube.ts for its ports.
import { schema } from "../core/schema.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import { Cube, type CubeParams, checkTorus, cubeSize, torusFields } from "./cube.ts"

export type Torus = Cube

export default {
  kind: "topology",
  name: "torus",
  about: "Grid of routers whose lines are closed into rings in every dimension.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  params: schema(torusFields),
  check: checkTorus,
  size: cubeSize,
  make: (p) => new Cube("torus", p),
} satisfies TopologyPlugin<CubeParams, Torus>
