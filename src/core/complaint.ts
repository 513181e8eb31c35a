/**
 * A problem for the user: `says` states what is wrong, `path` (dotted) where, and `fix` what to do. Exceptions, in
 * contrast, mean a bug in lacewing.
 */
export type Complaint = { readonly path: string; readonly says: string; readonly fix: string }

export type Checked<T> = { readonly ok: T } | { readonly bad: readonly Complaint[] }

export function complain(path: string, says: string, fix: string): Complaint {
  return { path, says, fix }
}

/**
 * A rule between parts of an experiment. Parts do not know each other, so what must hold between them is written as
 * data. A rule stands for one cause and complains once for each place where the parts do not fit.
 */
export interface Rule<Look> {
  /** keys that it compares; `*` stands for any part of a path */
  readonly reads: readonly string[]
  /** Returns complaints with complete paths; none if the parts fit. */
  test(look: Look): readonly Complaint[]
}

/** Returns the complaints of all rules, in their order. */
export function broken<Look>(rules: readonly Rule<Look>[], look: Look): Complaint[] {
  return rules.flatMap((rule) => rule.test(look))
}

/** The known word nearest to `word` (edit distance with transpositions), or undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(word.length - candidate.length) >= least) continue
    const d = distance(word.toLowerCase(), candidate.toLowerCase())
    // half of the letters at least must be right: "p" is not a slip of the pen for "k"
    if (d < least && 2 * d <= Math.max(word.length, candidate.length)) {
      least = d
      best = candidate
    }
  }
  return best
}

function distance(a: string, b: string): number {
  let two: number[] = []
  let one = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      let d = Math.min(one[j] + 1, row[j - 1] + 1, one[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, two[j - 2] + 1)
      row.push(d)
    }
    two = one
    one = row
  }
  return one[b.length]
}
