// Figure 5.4b: storage traffic, compressed 40 times.
import { storageFigure } from "./storage.ts"

export default storageFigure("fbicm/fig5.4b", "Figure 5.4b", 40)
