// What is wrong with a trace: thrown where it is found, caught by the one loop that feeds files to readers, told as a complaint.
import { type Complaint, complain } from "../../../core/complaint.ts"

/** Not a bug: the bytes are not what they should be. */
export class BadTrace extends Error {
  override readonly name = "BadTrace"
  readonly complaint: Complaint
  constructor(path: string, says: string, fix: string) {
    super(`${path}: ${says}`)
    this.complaint = complain(path, says, fix)
  }
}

/** Complaints with a limit: a file in which every line is wrong is told by its first ones. */
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
  /** All of them, and how many were left out. */
  told(path: string): readonly Complaint[] {
    return this.#more === 0 ? this.all : [...this.all, complain(path, `${this.#more} more complaints`, "correct these first")]
  }
}
