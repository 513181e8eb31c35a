// Commands of the manual that take minutes. `npm run manual -- --run` executes them, and their output is stored in
// docs/recorded/ and shown below their code blocks.
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const outputs = (root) => join(root, "docs/recorded/outputs.json")
const suites = ["booksim2", "codes", "loggops", "twins"]
let known

function all(root) {
  known ??= existsSync(outputs(root)) ? JSON.parse(readFileSync(outputs(root), "utf8")) : {}
  return known
}

export function keptOutput(root, command) {
  return all(root)[command]?.text
}

export function keptValidations(root) {
  return suites.flatMap((suite) => {
    const file = join(root, `docs/recorded/validate-${suite}.json`)
    return existsSync(file) ? [JSON.parse(readFileSync(file, "utf8"))] : []
  })
}

/** `which`: "tutorial", "experiments", suites of `validate`, or nothing for all. */
export async function runAll(root, version, which) {
  const folder = mkdtempSync(join(tmpdir(), "lacewing-manual-"))
  mkdirSync(join(root, "docs/recorded"), { recursive: true })
  const known = ["tutorial", "experiments", ...suites]
  const wanted = which.length === 0 ? known : which
  const wrong = wanted.filter((w) => !known.includes(w))
  if (wrong.length > 0) throw new Error(`${wrong[0]}: choose of ${known.join(", ")}`)
  try {
    if (wanted.includes("tutorial"))
      keep(root, folder, version, tutorial(readFileSync(join(root, "docs/guide/tutorial.md"), "utf8")))
    if (wanted.includes("experiments")) keep(root, folder, version, experiments(root))
    for (const suite of wanted.filter((w) => suites.includes(w))) {
      const command = `npx lacewing validate ${suite} --json`
      const done = told(command, lacewing(root, folder, command), [0, 1])
      const kept = { command, finished: new Date().toISOString(), version, validation: JSON.parse(done.out) }
      writeFileSync(join(root, `docs/recorded/validate-${suite}.json`), `${JSON.stringify(kept)}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Executes commands in order in an empty folder, with the files that earlier code blocks write. Stored output of other
 * commands stays.
 */
function keep(root, folder, version, steps) {
  link(root, folder)
  for (const { command, code, files } of steps) {
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
    const done = told(command, lacewing(root, folder, command), [code])
    known = {
      ...all(root),
      [command]: {
        text: tidy(done.text, folder),
        seconds: Number(done.seconds.toFixed(1)),
        version,
        finished: new Date().toISOString(),
      },
    }
    writeFileSync(outputs(root), `${JSON.stringify(known, null, 1)}\n`)
  }
}

/** The experiments that pages run unchanged. */
function experiments(root) {
  const names = readdirSync(join(root, "experiments"))
  const pages = ["README.md", ...names.map((name) => `experiments/${name}/README.md`)]
  const steps = pages.flatMap((page) => tutorial(readFileSync(join(root, page), "utf8")))
  const once = new Map(
    steps.filter((s) => /^npx lacewing run experiments\/[\w-]+$/.test(s.command)).map((s) => [s.command, s]),
  )
  // One of them deadlocks on purpose.
  return [...once.values()].map((s) => ({ ...s, files: [], code: s.command.endsWith("/deadlock") ? 3 : s.code }))
}

function told(command, done, codes) {
  const good = codes.includes(done.status)
  console.log(`${good ? "done  " : "FAILED"} ${done.seconds.toFixed(1).padStart(7)} s  ${command}`)
  if (!good) throw new Error(`${command} ended with ${done.status}:\n${done.text}`)
  return done
}

/** Installs `lacewing` like a package, because plug-ins of the tutorial import it by name. */
function link(root, folder) {
  const inside = join(folder, "node_modules/lacewing")
  if (existsSync(inside)) return
  mkdirSync(inside, { recursive: true })
  symlinkSync(join(root, "experiments"), join(folder, "experiments"))
  writeFileSync(
    join(inside, "package.json"),
    JSON.stringify({ name: "lacewing", type: "module", exports: { ".": "./index.js" } }),
  )
  writeFileSync(
    join(inside, "index.js"),
    `export * from ${JSON.stringify(new URL(`file://${join(root, "dist/app/index.js")}`).href)}\n`,
  )
}

function lacewing(root, folder, command) {
  const begun = performance.now()
  const words = [...command.replace(/^npx lacewing /, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (m) => m[1] ?? m[2] ?? m[3],
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/app/main.js"), ...words], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "100" },
  })
  return { status: status ?? 1, out: stdout, text: `${stderr}${stdout}`, seconds: (performance.now() - begun) / 1000 }
}

/** Removes paths of this machine from the output. */
function tidy(text, folder) {
  return text.replaceAll(folder, ".").trimEnd().split("\n").slice(0, 120).join("\n")
}

/**
 * Returns the steps of a page: commands, each with the files that earlier code blocks write (a block whose first line
 * is a comment with a file name).
 */
export function tutorial(text) {
  const steps = []
  let files = []
  for (const m of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [, language, body] = m
    const name = /^(?:\/\/|#) (\S+\.(?:mjs|yaml|edges|goal))$/.exec(body.split("\n")[0])?.[1]
    if (name !== undefined) files.push([name, body])
    else if (language === "sh" || language === "console")
      for (const line of body.split("\n")) {
        const command =
          language === "sh" ? line.replace(/\s+#.*$/, "").trim() : line.startsWith("$ ") ? line.slice(2).trim() : ""
        if (!command.startsWith("npx lacewing ")) continue
        const code = Number(/\s# exit code (\d+)\b/.exec(line)?.[1] ?? 0)
        steps.push({ command, code, files })
        files = []
      }
  }
  return steps
}
