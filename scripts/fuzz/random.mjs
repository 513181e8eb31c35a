// Random numbers of one input (sfc32, seeded with the text "seed reader index"), and random values made from them.

/** Returns the generator of input `index` of a reader. */
export function inputOf(seed, reader, index) {
  let h = 0x811c9dc5
  for (const c of `${seed} ${reader} ${index}`) h = Math.imul(h ^ c.codePointAt(0), 0x01000193)
  let [a, b, c, d] = [h, h ^ 0x9e3779b9, 0x243f6a88, 1]
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  const int = (n) => next() % Math.max(1, n)
  return { int, chance: (p) => next() < p * 2 ** 32, pick: (list) => list[int(list.length)] }
}
