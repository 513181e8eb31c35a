// Every figure and table of a paper that `lacewing paper` reproduces, in the order of the list. Those
// that are data are named by their id, each other one by its module.

import cbcmAssumptions from "./cbcm/assumptions.ts"
import cbcmFig2 from "./cbcm/fig2.ts"
import cbcmFig8a from "./cbcm/fig8a.ts"
import cbcmFig8b from "./cbcm/fig8b.ts"
import cbcmFig8c from "./cbcm/fig8c.ts"
import cbcmFig9b from "./cbcm/fig9b.ts"
import cbcmFig10 from "./cbcm/fig10.ts"
import cbcmFig12 from "./cbcm/fig12.ts"
import cbcmFig13 from "./cbcm/fig13.ts"
import cbcmTable1 from "./cbcm/table1.ts"
import cbcmText2b from "./cbcm/text-2b.ts"
import cbcmText5b from "./cbcm/text-5b.ts"
import cbcmText5c from "./cbcm/text-5c.ts"
import { packaged } from "./data/packaged.ts"
import fbicmAdapters from "./fbicm/adapters.ts"
import fbicmAssumptions from "./fbicm/assumptions.ts"
import fbicmFig31 from "./fbicm/fig3.1.ts"
import fbicmFig32 from "./fbicm/fig3.2.ts"
import fbicmFig33 from "./fbicm/fig3.3.ts"
import fbicmFig41 from "./fbicm/fig4.1.ts"
import fbicmFig52a from "./fbicm/fig5.2a.ts"
import fbicmFig52b from "./fbicm/fig5.2b.ts"
import fbicmFig53a from "./fbicm/fig5.3a.ts"
import fbicmFig53b from "./fbicm/fig5.3b.ts"
import fbicmFig54a from "./fbicm/fig5.4a.ts"
import fbicmFig54b from "./fbicm/fig5.4b.ts"
import fbicmLists from "./fbicm/lists.ts"
import fbicmTable52 from "./fbicm/table5.2.ts"
import { fig4 as fitflyFig4, fig5 as fitflyFig5 } from "./fitfly/beside.ts"
import { fig6 as fitflyFig6, fig7 as fitflyFig7, fig8 as fitflyFig8, fig9 as fitflyFig9 } from "./fitfly/equal.ts"
import fitflyFig10 from "./fitfly/fig10.ts"
import fitflyTable3 from "./fitfly/table3.ts"
import type { PaperFigure } from "./paper.ts"
import qosAssumptions from "./qos/assumptions.ts"
import qosFig1 from "./qos/fig1.ts"
import qosFig2 from "./qos/fig2.ts"
import qosFig3 from "./qos/fig3.ts"
import qosFig4 from "./qos/fig4.ts"
import { panels as qosPanels } from "./qos/panels.ts"
import qosTable1 from "./qos/table1.ts"
import qosTable2 from "./qos/table2.ts"
import qosTable3 from "./qos/table3.ts"
import stashingAssumptions from "./stashing/assumptions.ts"
import stashingFig1 from "./stashing/fig1.ts"
import stashingFig2 from "./stashing/fig2.ts"
import stashingFig3 from "./stashing/fig3.ts"
import stashingFig4 from "./stashing/fig4.ts"
import stashingFig6 from "./stashing/fig6.ts"
import stashingFig7a from "./stashing/fig7a.ts"
import stashingFig7b from "./stashing/fig7b.ts"
import stashingFig8 from "./stashing/fig8.ts"
import stashingFig9 from "./stashing/fig9.ts"

export const papers: readonly PaperFigure[] = [
  packaged("fitfly/table2"),
  packaged("fitfly/fig3"),
  fitflyFig4,
  fitflyFig5,
  fitflyFig6,
  fitflyFig7,
  fitflyFig8,
  fitflyFig9,
  fitflyTable3,
  packaged("fitfly/table4"),
  fitflyFig10,
  packaged("fbicm/table5.1"),
  fbicmTable52,
  packaged("fbicm/table5.3"),
  packaged("fbicm/text-3.4"),
  fbicmFig31,
  fbicmFig32,
  fbicmFig33,
  fbicmFig41,
  packaged("fbicm/fig5.1a"),
  packaged("fbicm/fig5.1b"),
  fbicmFig52a,
  fbicmFig52b,
  fbicmFig53a,
  fbicmFig53b,
  fbicmFig54a,
  fbicmFig54b,
  packaged("fbicm/v1-v2"),
  packaged("fbicm/v1-field"),
  fbicmLists,
  fbicmAssumptions,
  fbicmAdapters,
  packaged("stashing/table1"),
  stashingFig1,
  stashingFig2,
  stashingFig3,
  stashingFig4,
  packaged("stashing/fig5a"),
  packaged("stashing/fig5b"),
  stashingFig6,
  stashingFig7a,
  stashingFig7b,
  stashingFig8,
  stashingFig9,
  stashingAssumptions,
  qosTable1,
  qosTable2,
  qosTable3,
  packaged("qos/table4"),
  qosFig1,
  qosFig2,
  qosFig3,
  qosFig4,
  packaged("qos/text-4"),
  ...qosPanels,
  qosAssumptions,
  cbcmTable1,
  cbcmFig2,
  cbcmText2b,
  packaged("cbcm/fig3a"),
  packaged("cbcm/fig3b"),
  packaged("cbcm/fig5a"),
  packaged("cbcm/fig5b"),
  packaged("cbcm/fig7"),
  cbcmFig8a,
  cbcmFig8b,
  cbcmFig8c,
  packaged("cbcm/fig9a"),
  cbcmFig9b,
  cbcmText5b,
  cbcmText5c,
  cbcmFig10,
  packaged("cbcm/fig11"),
  cbcmFig12,
  cbcmFig13,
  packaged("cbcm/fig14"),
  packaged("cbcm/overhead"),
  cbcmAssumptions,
]
