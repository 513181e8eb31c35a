// Every help text: the style of its lines, its groups, its examples; and the old names of options and commands.
import { Command, type Option } from "commander"
import { describe, expect, test } from "vitest"
import { plainPaint } from "../terminal/paint.ts"
import type { Io } from "./command.ts"
import { commands, renamedCommands } from "./commands.ts"
import { extrasOf, laidOut, renamedText } from "./help.ts"
import { main } from "./program.ts"

function io(): Io & { readonly lines: { out: string; err: string } } {
  const lines = { out: "", err: "" }
  return {
    lines,
    out: (text) => void (lines.out += `${text}\n`),
    err: (text) => void (lines.err += `${text}\n`),
    raw: () => undefined,
    paint: plainPaint,
    live: false,
    width: 100,
  }
}

async function cli(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const terminal = io()
  const code = await main(args, terminal)
  return { ...terminal.lines, code }
}

/** All commands as the program defines them; their actions do nothing. */
const program = laidOut(new Command("lacewing"), 100).exitOverride()
program.configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
for (const { name, about, load } of commands) {
  const command = program.command(name).description(about)
  ;(await load()).default(command, io())
}
const all: readonly Command[] = program.commands.flatMap((c) => [c, ...c.commands])
for (const c of all) c.action(() => undefined)
const nameOf = (c: Command): string => (c.parent === program ? c.name() : `${c.parent?.name()} ${c.name()}`)
const shown = (c: Command): readonly Option[] => c.options.filter((o) => !o.hidden)

/** Words with a private meaning, which users of the field do not know. */
const privateWords =
  /\b(beside|so many|whoever|nobody|unless given|hold against|handed over|told|of your own|knee|way|ways|room|lack|lacks|alone|is said|goes on|kept back)\b/i

/** An option of one suite or tool starts with its name. */
const startsWell = (text: string): boolean => /^[A-Z]/.test(text) || /^(booksim2|codes|workloads): [a-zA-Z]/.test(text)

const verbs =
  "Run Watch Repeat Reproduce Write Convert Validate List Explain Show Estimate Compute Rank Compare Measure Query Combine Check Open Cancel Follow".split(
    " ",
  )

describe.each(all.map((c) => [nameOf(c), c] as const))("help of %s", (_, command) => {
  test("starts with a verb and fits into one line without a full stop", () => {
    const about = command.description()
    expect(verbs).toContain(about.split(/[ ,]/)[0])
    expect(about.length).toBeLessThanOrEqual(75)
    expect(about).not.toMatch(/\.$/)
  })
  test("describes every argument and option with a capital letter, briefly and without private words", () => {
    const texts = [
      ...command.registeredArguments.map((a) => [a.name(), a.description] as const),
      ...shown(command).map((o) => [o.flags, o.description] as const),
    ]
    for (const [name, text] of texts) {
      expect(startsWell(text), `${name}: ${text}`).toBe(true)
      expect(text, name).not.toMatch(/\.$/)
      expect(text, name).not.toMatch(privateWords)
      expect(text.split(/\. | \(|: /)[0]!.length, `${name}: ${text}`).toBeLessThanOrEqual(
        command.registeredArguments.some((a) => a.name() === name) ? 110 : 80,
      )
    }
  })
  test("has headings for its options where there are many", () => {
    const groups = new Set(shown(command).map((o) => o.helpGroupHeading))
    if (shown(command).length > 8) expect(groups.size).toBeGreaterThan(1)
    for (const group of groups) if (group !== undefined) expect(command.helpInformation()).toContain(`\n${group}\n`)
  })
  test("ends with examples that parse, and with exit codes", () => {
    const { examples = [] } = extrasOf(command) ?? {}
    expect(examples.length).toBeGreaterThan(0)
    for (const line of examples) {
      const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]!)
      expect(words[0]).toBe("lacewing")
      expect(() => program.parse(words.slice(1), { from: "user" }), line).not.toThrow()
    }
    expect(command.helpInformation()).toMatch(/\nExamples\n {2}lacewing .*\n\nExit codes: 0 done; /s)
  })
})

test("the first page shows every command but internal ones, below its heading", async () => {
  const { out } = await cli("--help")
  for (const { name, about, group, hidden } of commands)
    if (hidden === true) expect(out).not.toContain(about)
    else {
      expect(out).toContain(`\n${group}\n`)
      expect(out).toMatch(new RegExp(`^ {2}${name} +${about.replace(/[()]/g, "\\$&")}$`, "m"))
    }
  expect(out.split("\n").every((line) => line.length <= 100)).toBe(true)
})

test("a command with an old name works, and one line names both", async () => {
  for (const [old, now] of Object.entries(renamedCommands)) {
    const [was, is] = [await cli(old, "--help"), await cli(now, "--help")]
    expect(was).toEqual({ ...is, err: `${renamedText(`lacewing ${old}`, `lacewing ${now}`)}\n` })
  }
})

test("an option with an old name works, and one line names both", async () => {
  const before = await cli("cost", "torus", "sides=4x4", "--book", "fitfly-edr", "--json")
  const now = await cli("cost", "torus", "sides=4x4", "--prices", "fitfly-edr", "--json")
  expect(now.code).toBe(0)
  expect(before).toEqual({ ...now, err: `${renamedText("--book", "--prices")}\n` })
  const most = await cli("route", "first-curve", "--from", "0", "--to", "9", "--most", "1", "--json")
  const paths = await cli("route", "first-curve", "--from", "0", "--to", "9", "--max-paths", "1", "--json")
  expect(JSON.parse(paths.out).paths).toHaveLength(1)
  expect(most).toEqual({ ...paths, err: `${renamedText("--most", "--max-paths")}\n` })
  expect(await cli("route", "first-curve", "--from", "0", "--to", "9", "--most", "x")).toMatchObject({ code: 2 })
})

test("--resume is refused, because it is not needed", async () => {
  const { code, err } = await cli("run", "first-curve", "--resume")
  expect([code, err]).toEqual([2, expect.stringContaining("--resume is not needed")])
})
