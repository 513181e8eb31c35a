// The list of trace formats, in the order in which a file is offered to them: formats with a magic number come first.
import { chakra } from "./chakra/chakra.ts"
import { compact } from "./compact.ts"
import { dumpi } from "./dumpi/dumpi.ts"
import { htsim, matrix } from "./flows.ts"
import { goal } from "./goal.ts"
import { aicb } from "./layers/aicb.ts"
import { simai } from "./layers/simai.ts"
import { otf2 } from "./otf2.ts"
import { simgrid } from "./simgrid.ts"
import type { TraceFormat } from "./trace.ts"

export const traceFormats: readonly TraceFormat[] = [
  compact,
  dumpi,
  otf2,
  chakra,
  goal,
  aicb,
  simai,
  htsim,
  simgrid,
  matrix,
]
