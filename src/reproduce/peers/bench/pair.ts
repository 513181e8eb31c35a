// Runs two processes alternately, a few milliseconds each, so that other load of the machine affects both alike: one is
// stopped while the other runs. Each prints the CPU time of its own work, which does not advance while it is stopped.
// So any program can be measured that prints it.
import { spawn } from "node:child_process"

/** milliseconds of a turn; drawn, so that nothing that beats in time with it is always met by the same one */
const TURN = { from: 10, to: 30 }

class Turn {
  private readonly child: ReturnType<typeof spawn>
  private readonly text = { out: "", err: "" }
  readonly done: Promise<string>
  over = false

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
    this.child.stdout?.on("data", (data: Buffer) => void (this.text.out += data.toString()))
    this.child.stderr?.on("data", (data: Buffer) => void (this.text.err += data.toString()))
    this.done = new Promise((resolve, reject) => {
      this.child.on("error", reject)
      this.child.on("close", (status) => {
        this.over = true
        if (status === 0) resolve(this.text.out)
        else reject(new Error(`${args.join(" ").slice(0, 200)}\n${this.text.err.slice(-1000)}`))
      })
    })
  }
  stop(): void {
    if (!this.over && process.platform !== "win32") this.child.kill("SIGSTOP")
  }
  go(): void {
    if (!this.over && process.platform !== "win32") this.child.kill("SIGCONT")
  }
  end(): void {
    if (!this.over) this.child.kill("SIGKILL")
  }
}

/** What both print; they start in the order given. */
export async function inTurn(first: readonly string[], second: readonly string[]): Promise<[string, string]> {
  const all = [new Turn(first), new Turn(second)] as const
  const leave = () => all.forEach((t) => void t.end())
  process.once("exit", leave)
  let at = 0
  all[1].stop()
  let timer: NodeJS.Timeout
  const next = () => {
    all[at].stop()
    at = 1 - at
    all[at].go()
    // who is left has no one to wait for
    if (all.some((t) => t.over)) for (const t of all) t.go()
    else timer = setTimeout(next, TURN.from + Math.random() * (TURN.to - TURN.from))
  }
  timer = setTimeout(next, TURN.to)
  for (const t of all)
    void t.done.then(
      () => all.forEach((other) => void other.go()),
      () => leave(),
    )
  try {
    return await Promise.all([all[0].done, all[1].done])
  } finally {
    clearTimeout(timer)
    leave()
    process.off("exit", leave)
  }
}
