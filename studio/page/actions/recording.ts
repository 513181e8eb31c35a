// Records a film of the current run.
import { recorded } from "../out/recording.ts"
import * as s from "../state.ts"
import { now, save, trying } from "./common.ts"
import { play } from "./time.ts"

/** Real time of a film in seconds. */
const SECONDS = 10

/** Plays the run and saves a film of it, until the run pauses. */
export async function record(seconds = SECONDS): Promise<void> {
  await trying("", async () => {
    if (!s.running.value) await play()
    s.said.value = `Recording ${seconds} s …`
    const from = now()
    const film = await recorded(seconds, () => !s.running.value)
    save(s.fileName.value.replace(/(\.\w+)?$/, ".webm"), film, film.type)
    s.said.value = `Saved a film from cycle ${from.toLocaleString("en")} to ${now().toLocaleString("en")}.`
  })
}
