// Makes a screenshot smaller: a PNG of at most 256 colours. Colours of screens are few, so the difference is not
// visible.
import { deflateSync, inflateSync } from "node:zlib"

/** Bits of each channel that distinguish colours while they are counted. */
const BITS = 5
const MOST = 256

/** Returns the PNG (8 bits, RGB or RGBA, not interlaced) with a palette. */
export function smaller(png) {
  const { width, height, channels, pixels } = decoded(png)
  const bins = new Map()
  const binOf = (i) => {
    const at = i * channels
    const shift = 8 - BITS
    return ((pixels[at] >> shift) << (2 * BITS)) | ((pixels[at + 1] >> shift) << BITS) | (pixels[at + 2] >> shift)
  }
  const count = width * height
  for (let i = 0; i < count; i++) {
    const name = binOf(i)
    const bin = bins.get(name) ?? { n: 0, sum: [0, 0, 0] }
    bin.n++
    for (let c = 0; c < 3; c++) bin.sum[c] += pixels[i * channels + c]
    bins.set(name, bin)
  }
  for (const bin of bins.values()) bin.mean = bin.sum.map((v) => Math.round(v / bin.n))
  const palette = [...bins.values()].sort((a, b) => b.n - a.n).slice(0, MOST)
  const nearest = new Map()
  for (const [name, { mean }] of bins) {
    const away = ({ mean: m }) => (m[0] - mean[0]) ** 2 + (m[1] - mean[1]) ** 2 + (m[2] - mean[2]) ** 2
    nearest.set(
      name,
      palette.reduce((best, p, i) => (away(p) < away(palette[best]) ? i : best), 0),
    )
  }
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(binOf(y * width + x))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((p) => p.mean))
  const parts = [
    ["IHDR", header],
    ["PLTE", colours],
    ["IDAT", deflateSync(rows, { level: 9 })],
    ["IEND", Buffer.alloc(0)],
  ]
  return Buffer.concat([png.subarray(0, 8), ...parts.map(([type, body]) => chunk(type, body))])
}

function decoded(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = { 2: 3, 6: 4 }[png[25]]
  const parts = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? pixels[y * stride + x - channels] : 0
      const b = y > 0 ? pixels[(y - 1) * stride + x] : 0
      const c = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0
      const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter]
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess
    }
  }
  return { width, height, channels, pixels }
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

function chunk(type, body) {
  const whole = Buffer.alloc(12 + body.length)
  whole.writeUInt32BE(body.length, 0)
  whole.write(type, 4, "latin1")
  body.copy(whole, 8)
  whole.writeUInt32BE(crc(whole.subarray(4, 8 + body.length)), 8 + body.length)
  return whole
}

/** The checksum of PNG, bit by bit. */
function crc(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}
