// Tables of weights for tests, and the output of the contract tests.
import type { TableEntry } from "../../src/model/scheduler.ts"

export { dice, Output, site } from "../../src/inspect/contract/one-output.ts"

export function table(text: string): TableEntry[] {
  return text.split(",").map((e) => ({ queue: Number(e.split(":")[0]), weight: Number(e.split(":")[1]) }))
}
