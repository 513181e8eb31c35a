// The program's commands, called in this process: exit code and what was said.
import { main } from "../../src/cli/program.ts"
import { plainPaint } from "../../src/terminal/paint.ts"

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function said(args: readonly string[], paint = plainPaint): Promise<Said> {
  let [out, err] = ["", ""]
  const io = {
    out: (s: string) => void (out += `${s}\n`),
    err: (s: string) => void (err += `${s}\n`),
    raw: () => {},
    paint,
    live: false,
    width: 100,
  }
  const code = await main(args, io)
  return { code, out, err }
}
