// Figure 5.3b: many hot destinations behind up links of the second stage, 256 endpoints.
import { multipleFigure } from "./multiple.ts"

export default multipleFigure("fbicm/fig5.3b", "Figure 5.3b", 4, "stage1")
