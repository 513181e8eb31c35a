// Compresses the manual, the studio and the recorded results of papers into dist/pages.br, which the package contains
// instead of them (src/experiment/disk/unpacked.ts). The names are relative to the package.
//   node scripts/archive.mjs [FILE] [--quick]      default: dist/pages.br
// dist/manual and dist/studio must be built before.
// With --quick, which the tests use, it takes a sixth of the CPU time and the archive is a fifth larger.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"

const root = fileURLToPath(new URL("..", import.meta.url))
const listed = (folder, wanted) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => wanted(name) && statSync(join(root, name)).isFile())
    .sort()
const all = [
  ...listed("dist/studio", () => true),
  ...listed("dist/manual", () => true),
  ...listed("papers", (name) => name.endsWith(".recorded.json")),
]
const files = Object.fromEntries(all.map((name) => [name, readFileSync(join(root, name), "utf8")]))
const text = Buffer.from(JSON.stringify(files))
const args = process.argv.slice(2)
const packed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: args.includes("--quick") ? 9 : constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  },
})
const file = args.find((a) => a !== "--quick") ?? join(root, "dist/pages.br")
writeFileSync(file, packed)
console.log(`${all.length} files, ${packed.length} bytes in ${file}`)
