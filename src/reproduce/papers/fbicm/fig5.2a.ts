// Figure 5.2a: throughput over time with one hot spot, 64 endpoints.
import { singleFigure } from "./single.ts"

export default singleFigure("fbicm/fig5.2a", "Figure 5.2a", 3)
