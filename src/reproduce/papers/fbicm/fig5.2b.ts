// Figure 5.2b: throughput over time with one hot spot, 256 endpoints.
import { singleFigure } from "./single.ts"

export default singleFigure("fbicm/fig5.2b", "Figure 5.2b", 4)
