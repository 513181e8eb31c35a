// All actions of a user, a link or a tour, grouped by view. Each action is an asynchronous function that changes the
// state (state.ts). An action that fails shows its message and leaves the rest of the state unchanged.

export * from "./actions/branch.ts"
export { allowCode, refuseCode } from "./actions/code.ts"
export { now, save, savePng } from "./actions/common.ts"
export { tryCure } from "./actions/cure.ts"
export { openA, prepare } from "./actions/engines.ts"
export * from "./actions/experiment.ts"
export * from "./actions/given.ts"
export * from "./actions/inspect.ts"
export * from "./actions/link.ts"
export { record } from "./actions/recording.ts"
export * from "./actions/results.ts"
export * from "./actions/stories.ts"
export * from "./actions/sweep.ts"
export * from "./actions/time.ts"
