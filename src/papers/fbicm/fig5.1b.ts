// Figure 5.1b: throughput against uniform load, 256 endpoints.
import { uniformFigure } from "./uniform.ts"

export default uniformFigure("fbicm/fig5.1b", "Figure 5.1b", 4)
