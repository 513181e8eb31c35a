import { expect, test } from "vitest"
import { codesEntries, codesOthers } from "./codes/experiments.ts"
import { readRecorded, recordedNumber } from "./recorded.ts"

test("a recorded table is read by column name, without its notes", () => {
  const rows = readRecorded("codes/phold.tsv", [
    ...["lps", "lookahead", "starts", "remote", "end", "events", "cpu_rate", "loop_rate", "memory"],
  ])
  expect(rows.length).toBe(9)
  expect(rows[1]).toEqual({
    lps: "1024",
    lookahead: "1",
    starts: "1",
    remote: "0.25",
    end: "4000",
    events: "4094976",
    cpu_rate: "2367038",
    loop_rate: "2344320",
    memory: "18",
  })
})

test("other columns than those of the file are an error that names both", () => {
  expect(() => readRecorded("booksim2/speed.tsv", ["id", "speed"])).toThrow(
    "booksim2/speed.tsv has the columns id\trate, not id\tspeed",
  )
})

test("an empty field and a dash are no number", () => {
  expect([recordedNumber(""), recordedNumber("-"), recordedNumber("0.5")]).toEqual([Number.NaN, Number.NaN, 0.5])
})

test("the tables of CODES have 259 runs with a model and 36 without, all with different names", () => {
  const names = [...codesEntries(), ...codesOthers()].map((e) => e.id)
  expect(names.length).toBe(259 + 36)
  expect(new Set(names).size).toBe(names.length)
})
