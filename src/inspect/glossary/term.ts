// One term of the glossary.

export interface Term {
  readonly term: string
  readonly about: string
  /** other standard names: BookSim2, CODES, InfiniBand, textbooks */
  readonly also?: readonly string[]
  /** words that lacewing used up to version 0.1 */
  readonly older?: readonly string[]
}
