// Mesh (k-ary n-mesh): a plug-in of cube.ts, which defines its ports. A mesh with side 2 in every dimension is a
// hypercube.
import { schema } from "../core/schema.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import { Cube, type CubeParams, checkCube, cubeFields, cubeSize } from "./cube.ts"

export type Mesh = Cube

export default {
  kind: "topology",
  name: "mesh",
  about: "Grid of routers with links to the neighbours in every dimension.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  params: schema(cubeFields),
  check: checkCube,
  size: cubeSize,
  make: (p) => new Cube("mesh", p),
} satisfies TopologyPlugin<CubeParams, Mesh>
