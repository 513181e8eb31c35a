// The stories as they are built into the site: an experiment, the changes of side B, and the plans of both sides, so
// that the engines start before the planner has loaded. scripts/studio.mjs writes them from studio/stories.
import type { PlannedHere } from "./planner.ts"

export const storyNames = ["adversarial", "hotspot", "deadlock", "large"] as const
export type StoryName = (typeof storyNames)[number]

export interface BuiltStory {
  readonly text: string
  readonly set: readonly string[]
  readonly a: PlannedHere
  readonly b: PlannedHere
}
