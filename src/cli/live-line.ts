// One line of progress for commands that take longer than two seconds. A terminal redraws it. Other outputs get a line
// every ten seconds, so that logs stay short.
import type { Io } from "./command.ts"

export interface LiveLine {
  show(text: string): void
  /** Removes the line. */
  clear(): void
}

const EVERY = 10_000

export function liveLine(io: Io, now: () => number = () => performance.now()): LiveLine {
  let last = now()
  return {
    show(text) {
      if (io.live) io.raw(`\r\u001b[K${text.slice(0, io.width - 1)}`)
      else if (now() - last >= EVERY) {
        last = now()
        io.err(text)
      }
    },
    clear() {
      if (io.live) io.raw("\r\u001b[K")
    },
  }
}
