// Figure 5.4a: storage traffic, compressed 20 times.
import { storageFigure } from "./storage.ts"

export default storageFigure("fbicm/fig5.4a", "Figure 5.4a", 20)
