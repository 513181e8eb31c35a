// Words that had a private meaning in this project, with the terms of the field that replace them. `where` limits a
// rule to pages (Markdown), messages (string literals of the source) or comments; without it the rule holds for all.
// A word that is ordinary English in some phrases lists them in `but`.

/** @typedef {{ word: RegExp, use: string, where?: readonly ("page" | "message" | "comment")[], but?: RegExp }} Rule */

/** @type {readonly Rule[]} */
export const rules = [
  { word: /\bbeside\b/i, use: "compared with, besides, next to or other than" },
  { word: /\bso many\b/i, use: "this many, N, or the number of …" },
  {
    word: /\b(whoever|nobody|somebody|everybody)\b/i,
    use: "the thing that is meant: no packet, the caller, each input",
  },
  { word: /\bunless given\b/i, use: "(default: …)" },
  { word: /\bof (your|their|our) own\b/i, use: "custom, separate or private" },
  { word: /\b(told|tell|tells|telling) apart\b/i, use: "distinguish, separate" },
  { word: /\brooms?\b/i, use: "credits (sender), free buffer space (receiver), memory, capacity" },
  { word: /\b(births?|born)\b/i, use: "generation, creation time" },
  { word: /\b(giv(e|es|ing|en)|gave) (it |them |this |its )?back\b/i, use: "return (a credit)" },
  { word: /\bmeetings?\b/i, use: "barrier" },
  { word: /\bfacts\b/i, use: "trace events, statements" },
  { word: /\bknees?\b/i, use: "saturation load, saturation throughput" },
  { word: /\b(stands?|standing|stood) still\b/i, use: "makes no progress, is blocked" },
  { word: /\bin turn\b/i, use: "round-robin, alternately, one after the other" },
  { word: /\b(held|holds?|holding) against\b/i, use: "compare with, check against" },
  { word: /\bat hand\b/i, use: "available" },
  { word: /\b(goes|go|went|going) on\b/i, use: "continues", but: /\bgo on to\b/i },
  { word: /\b(is|are|was|were) said\b/i, use: "prints, reports, states" },
  {
    word: /\bways?\b/i,
    use: "path, route, direction or method",
    but: /\b(this|that|same|either|one|two|three|four|no|which|other|half|only|a long|all the|[0-9kn])[ -]ways?\b/i,
  },
  { word: /\bask(s|ed|ing|ers?)?\b/i, use: "request, need, call" },
  { word: /\banswers? (how|whether|with|what|that|which|if|the|true|false)\b/i, use: "returns" },
  { word: /\bchances?\b/i, use: "probability, random numbers" },
  { word: /\bwires?\b/i, use: "links, in flight, propagation" },
  { word: /\black(s|ed|ing|ers?)?\b/i, use: "credit stall; has no …" },
  { word: /\bheard|hears?\b/i, use: "receives" },
  { word: /\b(tells?|told|telling)\b/i, use: "sends, reports, prints, shows" },
  { word: /\bwish(es)?\b/i, use: "request, requirement" },
  { word: /\bpatience\b/i, use: "spin-wait, no-progress limit" },
  { word: /\b(crews?|teammates?)\b/i, use: "worker group, single-threaded scheduler" },
  { word: /\brehearsals?\b/i, use: "rollback check, JIT warm-up" },
  {
    word: /\b(laws?|Laws)\b/,
    use: "principle, invariant",
    but: /\b(Little's|Amdahl's|Kingman's|power|scaling|Moore's|Little’s) laws?\b/i,
  },
  { word: /\bleague tables?\b/i, use: "ranking" },
  { word: /\bbears?\b/i, use: "accepts, sustains" },
  { word: /\b(hand|hands|handed|handing) over\b/i, use: "submit, pass" },
  { word: /\b(innocent|blameless)\b/i, use: "non-congested destination" },
  { word: /\bdice\b/i, use: "random generator" },
  { word: /\bcircles?\b/i, use: "cycle, cyclic dependency", where: ["page", "message"] },
  { word: /\bseats?\b/i, use: "rank adapter" },
  { word: /\bof its own\b/i, use: "its own …, separate", where: ["page", "message"] },
  { word: /\bthe house\b/i, use: "the project, the layers" },
]

/** The longest sentence, and the highest mean of a page, in words. */
export const LONGEST = 40
export const MEAN = 24
/** The longest line of prose in a page, in characters, and the widest table, in columns. */
export const LINE = 100
export const COLUMNS = 5
