// Every figure and table of a paper that `lacewing paper` reproduces, in the order of the list. One import and one line each.
import type { PaperFigure } from "../lab/paper.ts"

export const papers: readonly PaperFigure[] = []
