// Terms of the glossary: results and texts.
import type { Term } from "./term.ts"

export const resultTerms: readonly Term[] = [
  {
    term: "diagnostic",
    about: "An error message with its location, what is wrong and how to fix it.",
    also: ["error message"],
    older: ["complaint", "complain", "says", "bad"],
  },
  {
    term: "stop reason",
    about: "Why a run ended; the column stop_reason, with a sentence in stop_detail.",
    also: ["stop_reason", "stop_detail", "description"],
    older: ["why", "explains"],
  },
  {
    term: "limit reached",
    about: "The run ended at its window or at measure.limit; the stop reason limit.",
    older: ["cycles (stop reason)"],
  },
  {
    term: "ranks hung",
    about: "Ranks wait for messages that no rank will send; the stop reason waiting.",
    also: ["unmatched receive"],
    older: ["waiting (stop reason)"],
  },
  { term: "minimum", about: "The smallest permitted value; keys begin with min.", older: ["least"] },
  { term: "maximum", about: "The largest permitted value; keys begin with max.", older: ["most"] },
  {
    term: "compared with",
    about: "Next to, or in comparison with, another network or value.",
    also: ["next to", "besides"],
    older: ["beside"],
  },
  {
    term: "sustain",
    about: "A network sustains a load if it accepts all that is offered.",
    also: ["accept", "carry"],
    older: ["bear", "bears"],
  },
  {
    term: "reference simulator",
    about: "Another simulator that results are compared with: BookSim2, CODES or ROSS.",
    older: ["peers"],
  },
  { term: "planner", about: "The background worker of the studio that reads and plans experiments.", older: ["desk"] },
  { term: "action", about: "Something that a user does in the studio.", older: ["hands"] },
  { term: "location", about: "File, line and column of an error.", older: ["spot"] },
  {
    term: "placement",
    about: "The endpoints on which the ranks of a job run; jobs.placement.",
    also: ["allocation"],
    older: ["place", "places"],
  },
  { term: "glossary", about: "The list of terms that `lacewing explain` knows.", older: ["words"] },
  { term: "manual", about: "The pages of the documentation.", older: ["pages"] },
  {
    term: "layer",
    about: "A folder of the source code that may import only the folders below it.",
    also: ["module"],
    older: ["house"],
  },
  {
    term: "submit",
    about: "Pass the runs of a sweep to a scheduler such as Slurm.",
    older: ["hand over", "handed over"],
  },
  { term: "reject", about: "lacewing does not accept an input, and says why.", older: ["refuse", "refused"] },
  { term: "default", about: "The value of a key that a file does not set.", older: ["unless given", "given"] },
  { term: "checksum", about: "A hash inside a file that shows whether the file is complete.", older: ["seal"] },
  { term: "task state", about: "Files that show how far a submitted task has come.", older: ["evidence", "trouble"] },
  { term: "design principle", about: "A rule that all parts of lacewing follow.", also: ["invariant"], older: ["law"] },
  { term: "ranking", about: "A table that orders networks or protocols by a value.", older: ["league table"] },
  { term: "custom", about: "Written by the user, for example a plug-in of an experiment.", older: ["of your own"] },
  { term: "distinguish", about: "Report separately.", older: ["told apart"] },
]
