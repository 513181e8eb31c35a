// Bundles the command line, the programmatic interface and what runs in threads or child processes into dist/app, flat, so that they find each other by
// name beside themselves. A process or thread then starts in
// about half the CPU time that some three hundred files need.
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const lab = [
  "worker",
  "flit-member",
  "packet-member",
  "bench-child",
  "bench-growth-child",
  "bench-check-child",
  "bench-phold-child",
  "bench-parallel-child",
  "codes-child",
]
const input = { main: "src/cli/main.ts", index: "src/index.ts", ...Object.fromEntries(lab.map((name) => [name, `src/lab/${name}.ts`])) }

rmSync(`${root}/dist/app`, { recursive: true, force: true })
const bundle = await rolldown({
  cwd: root,
  input,
  platform: "node",
  // helpers of the bundler itself (a template with a closing script tag needs one) are no packages of ours
  external: (id) => !/^[./\0]|^src\/|^@oxc-project\//.test(id),
  logLevel: "warn",
  // a constant of another file costs a load each time it is read
  optimization: { inlineConst: true },
})
await bundle.write({ dir: "dist/app", format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" })
await bundle.close()
