// A figure drawn at a width: the picture and the places where its values can be read.

import { drawAreas } from "./areas.ts"
import { drawBars, drawStack } from "./bars.ts"
import { drawCells } from "./cells.ts"
import type { Drawing } from "./drawing.ts"
import type { Figure } from "./figure.ts"
import { drawGraph } from "./graph.ts"
import { drawLines } from "./lines.ts"
import { drawSpans } from "./spans.ts"

export function draw(figure: Figure, width: number): Drawing {
  switch (figure.kind) {
    case "lines":
      return drawLines(figure, width)
    case "bars":
      return drawBars(figure, width)
    case "stack":
      return drawStack(figure, width)
    case "areas":
      return drawAreas(figure, width)
    case "cells":
      return drawCells(figure, width)
    case "spans":
      return drawSpans(figure, width)
    case "graph":
      return drawGraph(figure, width)
  }
}
