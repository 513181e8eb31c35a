// Figure 5.1a: throughput against uniform load, 64 endpoints.
import { uniformFigure } from "./uniform.ts"

export default uniformFigure("fbicm/fig5.1a", "Figure 5.1a", 3)
