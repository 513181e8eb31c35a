// Figure 5.3a: many hot destinations behind the up links of leaf switches, 64 endpoints.
import { multipleFigure } from "./multiple.ts"

export default multipleFigure("fbicm/fig5.3a", "Figure 5.3a", 3, "stage0")
