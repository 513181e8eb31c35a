// Splits a stream of bytes into lines, and parses numbers strictly.
import { BadTrace } from "./bad.ts"
import type { Sink } from "./sink.ts"

/** Maximum characters of a line: the counts of an all-to-all of 10^5 ranks fit. */
export const longestLine = 4 * 2 ** 20

/** Returns a sink that calls `line` for each line without its end, and `done` after the last one. */
export function lineSink(
  file: string,
  line: (text: string, number: number) => void,
  done: () => void = () => {},
): Sink {
  const decoder = new TextDecoder("utf-8")
  let rest = ""
  let number = 0
  const take = (text: string): void => {
    number++
    line(text.endsWith("\r") ? text.slice(0, -1) : text, number)
  }
  const split = (text: string): void => {
    let from = 0
    let end = text.indexOf("\n")
    if (end >= 0 && rest !== "") {
      const whole = rest + text.slice(0, end)
      rest = ""
      take(whole)
      from = end + 1
      end = text.indexOf("\n", from)
    }
    for (; end >= 0; end = text.indexOf("\n", from)) {
      take(text.slice(from, end))
      from = end + 1
    }
    rest += text.slice(from)
    if (rest.length > longestLine)
      throw new BadTrace(
        `${file}, line ${number + 1}`,
        `the line is longer than ${longestLine} characters, expected lines of text`,
        "check the file",
      )
  }
  return {
    feed: (bytes) => split(decoder.decode(bytes, { stream: true })),
    end: () => {
      split(decoder.decode())
      if (rest !== "") take(rest)
      rest = ""
      done()
    },
  }
}

const whole = /^[+-]?\d{1,15}$/
/** Returns an integer that a double represents exactly, or undefined. */
export function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && whole.test(text) ? Number(text) : undefined
}
const decimal = /^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})([eE][+-]?\d{1,3})?$/
/** Returns a finite number, or undefined. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !decimal.test(text)) return undefined
  const n = Number(text)
  return Number.isFinite(n) ? n : undefined
}
