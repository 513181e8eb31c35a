// Errors of a trace. A reader throws BadTrace where it finds the error, and the loop that feeds files to readers
// (walk.ts) converts it into a complaint.
import { type Complaint, complain } from "../../../core/complaint.ts"

/** The bytes of a file are wrong. This is not a bug of the program. */
export class BadTrace extends Error {
  override readonly name = "BadTrace"
  readonly complaint: Complaint
  constructor(path: string, says: string, fix: string) {
    super(`${path}: ${says}`)
    this.complaint = complain(path, says, fix)
  }
}

/** Complaints with a limit, because in a damaged file every line may be wrong. */
export class Complaints {
  readonly all: Complaint[] = []
  readonly #most: number
  #more = 0
  constructor(most = 20) {
    this.#most = most
  }
  add(path: string, says: string, fix: string): void {
    this.take(complain(path, says, fix))
  }
  take(c: Complaint): void {
    if (this.all.length < this.#most) this.all.push(c)
    else this.#more++
  }
  /** Returns the complaints, and the number of those beyond the limit. */
  told(path: string): readonly Complaint[] {
    return this.#more === 0
      ? this.all
      : [...this.all, complain(path, `${this.#more} more complaints`, "correct these first")]
  }
}
