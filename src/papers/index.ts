// Every figure and table of a paper that `lacewing paper` reproduces, in the order of the list. One import and one line each.
import type { PaperFigure } from "../lab/paper.ts"
import fitflyFig3 from "./fitfly/fig3.ts"
import fitflyFig10 from "./fitfly/fig10.ts"
import fitflyTable2 from "./fitfly/table2.ts"
import fitflyTable4 from "./fitfly/table4.ts"

export const papers: readonly PaperFigure[] = [fitflyTable2, fitflyFig3, fitflyTable4, fitflyFig10]
