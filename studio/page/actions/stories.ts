// Opens a story: an experiment and its variant side by side, and plays it.
import { type BuiltStory, type StoryName, storyNames } from "../../shared/stories.ts"
import { isStill } from "../film/clock.ts"
import { siteJson } from "../site.ts"
import * as s from "../state.ts"
import { opening } from "./code.ts"
import { fail } from "./common.ts"
import { openA } from "./engines.ts"
import { setText } from "./experiment.ts"
import { play } from "./time.ts"

let built: Promise<Readonly<Record<StoryName, BuiltStory>>> | undefined

/** Returns the stories of the site, which are loaded once. */
export function builtStories(): Promise<Readonly<Record<StoryName, BuiltStory>>> {
  built ??= siteJson("stories.json")
  return built
}

/** Opens a story. It plays by itself, unless the reader avoids motion. */
export async function openStory(name: StoryName): Promise<void> {
  let story: BuiltStory
  try {
    story = (await builtStories())[name]
  } catch (e) {
    built = undefined
    fail(e)
    return
  }
  opening(() => openStory(name))
  s.files.value = {}
  s.run.value = 0
  s.finished.value = []
  s.badge.value = undefined
  s.proofs.value = undefined
  s.running.value = false
  s.speed.value = Number.NaN
  s.heat.value = "utilisation"
  s.planned.value = { name, title: name, runs: [story.a], search: false }
  // The engines start at once; the planner reads the text meanwhile, for the editor.
  const opened = openA(story.a, { set: story.set, b: story.b })
  const read = setText(story.text, `${name}.yaml`, opened)
  if (await opened) {
    s.story.value = name
    s.matrix.value = name === "large"
    s.narrow.value = "A"
    if (!isStill()) await play()
  }
  await read
}

export const isStory = (name: string): name is StoryName => storyNames.some((n) => n === name)
