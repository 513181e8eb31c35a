// Commands around the manual: the page of a word, templates that check, completion, a report that opens.
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { openerOf, openFile } from "../../src/cli/manual/open.ts"
import { main } from "../../src/cli/program.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { loadPlan } from "../../src/experiment/load.ts"
import { starters } from "../../src/experiment/starters/index.ts"
import { plainPaint } from "../../src/terminal/paint.ts"
import { check } from "../../src/web.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-manual-commands-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""]
  const io = {
    out: (t: string) => void (out += `${t}\n`),
    err: (t: string) => void (err += `${t}\n`),
    raw() {},
    paint: plainPaint,
    live: false,
    width: 100,
  }
  return { code: await main(args, io), out, err }
}

describe("templates", () => {
  test("are those that were promised", () =>
    expect(Object.keys(starters).sort()).toEqual([
      ...["arena", "dragonfly", "fat-tree"],
      ...["congestion", "endpoint", "pattern", "probe", "routing", "scheduler"].map((kind) => `plugin-${kind}`),
      ...["switch", "topology", "trace", "workload"].map((kind) => `plugin-${kind}`),
      ...["stashing", "torus", "trace"],
    ]))
  test.each(Object.keys(starters))("%s is written, and checked without a complaint", async (name) => {
    const file = join(dir, name, "experiment.yaml")
    const made = await cli("init", file, "--template", name)
    expect([made.code, made.err]).toEqual([0, ""])
    expect(made.out).toContain(`Run it with: lacewing ${name === "arena" ? "arena" : "run"} ${file}`)
    // as `check` does, without its proofs, which take seconds; the cheapest of them is proved, too
    const planned = await loadPlan(file)
    expect("ok" in planned && check(planned.ok, hostAt(planned.ok.folder))).toEqual([])
    if (name === "fat-tree") expect((await cli("check", file, "--quick")).code).toBe(0)
    expect((await cli("init", file, "--template", name)).code).toBe(2)
  })
  test("one that is none is refused with the nearest", async () => {
    const wrong = await cli("init", join(dir, "x.yaml"), "--template", "fattree")
    expect([wrong.code, wrong.err]).toEqual([
      2,
      `There is no template "fattree".\n  fix: did you mean "fat-tree"? all: ${Object.keys(starters).join(", ")}\n`,
    ])
    expect(existsSync(join(dir, "x.yaml"))).toBe(false)
    expect((await cli("init", join(dir, "x.yaml"), "--template", "constructor")).code).toBe(2)
  })
})

describe("completion", () => {
  test("bash completes commands, options, their values and names", async () => {
    const script = join(dir, "completion.bash")
    writeFileSync(script, (await cli("completion", "bash")).out)
    const asked = (...words: string[]) => {
      const line = words.map((w) => `'${w}'`).join(" ")
      const program =
        `source ${script}; COMP_WORDS=(lacewing ${line}); ` +
        `COMP_CWORD=${words.length}; _lacewing; printf '%s\\n' "\${COMPREPLY[@]}"`
      return spawnSync("bash", ["-c", program], { encoding: "utf8", cwd: dir }).stdout.trim().split("\n")
    }
    expect(asked("ru")).toEqual(["run"])
    expect(asked("run", "first-")).toEqual(["first-curve"])
    expect(asked("run", "--dry")).toEqual(["--dry-run"])
    expect(asked("init", "--template", "dra")).toEqual(["dragonfly"])
    expect(asked("report", "x", "--theme", "d")).toEqual(["dark"])
    expect(asked("explain", "network.switch.vc")).toContain("network.switch.vcs")
    expect(asked("completion", "z")).toEqual(["zsh"])
  })
  test("zsh and fish have theirs, another shell is told the nearest", async () => {
    expect((await cli("completion", "zsh")).out).toContain("bashcompinit")
    expect((await cli("completion", "fish")).out).toContain(
      "complete -c lacewing -n '__fish_seen_subcommand_from init' -l template",
    )
    expect(await cli("completion", "bsh")).toEqual({
      code: 2,
      out: "",
      err: 'There is no completion for "bsh".\n  fix: did you mean "bash"?\n',
    })
  })
})

describe("opening", () => {
  test("by what the system has", () =>
    expect(["darwin", "win32", "linux"].map((s) => openerOf(s)[0])).toEqual(["open", "cmd", "xdg-open"]))
  test("a program of one's own is called with the path; one that is missing is said", async () => {
    const said = join(dir, "opened")
    mkdirSync(dir, { recursive: true })
    const opener = join(dir, "opener.sh")
    writeFileSync(opener, `#!/bin/sh\necho "$1" > ${said}.part && mv ${said}.part ${said}\n`)
    chmodSync(opener, 0o755)
    let err = ""
    const io = { out() {}, err: (t: string) => void (err += t), raw() {}, paint: plainPaint, live: false, width: 100 }
    await openFile("page.html", io, { LACEWING_OPEN: opener })
    while (!existsSync(said)) await new Promise((go) => setTimeout(go, 10))
    expect([readFileSync(said, "utf8"), err]).toEqual(["page.html\n", ""])
    await openFile("page.html", io, { LACEWING_OPEN: join(dir, "nobody") })
    expect(err).toContain("Open page.html yourself.")
  })
})

test("explain knows commands, stop reasons and words, and where more is said", async () => {
  expect((await cli("explain", "interference")).out).toContain("lacewing manual interference")
  expect((await cli("explain", "starved")).out).toContain("reason why a run ended")
  expect((await cli("explain", "mser")).out).toContain("standard error")
  expect((await cli("explain", "limits.time")).out).toContain("Maximum time of a run")
})
