import { availableParallelism } from "node:os"

/** Cores that this process may use. */
export const cores = availableParallelism()
