// Every format of traces that can be read, in the order in which a file is offered to them: the sure ones first.
import { dumpi } from "./dumpi/dumpi.ts"
import type { TraceFormat } from "./trace.ts"

export const traceFormats: readonly TraceFormat[] = [dumpi]
