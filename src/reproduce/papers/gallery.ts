// The gallery in a folder of papers: index.html and one page for each paper.
import { basename, join, resolve } from "node:path"
import { packageFolder } from "../../experiment/places.ts"
import { writeAtomic } from "../../results/disk.ts"
import { learnedIn } from "./data/folder.ts"
import { galleryPages } from "./gallery/pages.ts"
import type { PaperFigure } from "./paper.ts"
import { readRecorded } from "./record.ts"

/** Returns the path of the start page. `from`: the folder in which a figure is recorded. */
export function writeGallery(papers: string, all: readonly PaperFigure[], from = (_id: string) => papers): string {
  const given = all.map((figure) => ({ figure, recorded: readRecorded(from(figure.id), figure.id) }))
  // The gallery of one paper of a user lies in the folder of the paper itself.
  const folders = (name: string): string[] => [
    ...(basename(resolve(papers)) === name ? [papers] : []),
    join(papers, name),
    join(packageFolder, "papers", name),
  ]
  const learned = (name: string): readonly string[] =>
    folders(name)
      .map(learnedIn)
      .find((sentences) => sentences.length > 0) ?? []
  for (const [file, text] of galleryPages(given, learned)) writeAtomic(join(papers, file), text)
  return join(papers, "index.html")
}
