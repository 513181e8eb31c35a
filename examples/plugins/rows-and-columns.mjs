// @ts-check
// A switch of tiles, as in D. De Sensi, S. Di Girolamo, K. H. McMahon, D. Roweth and T. Hoefler, "An in-depth analysis
// of the Slingshot interconnect", 2020. The inputs of a row share the tiles of this row, and each tile serves the
// outputs of its column. A tile grants the inputs of its row in turn, and an output grants its rows in turn. Buffers,
// crossbar and congestion management are public stages.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, switching: { fields, abilities, check, compose, nextPort, lowest } }) =>
  plugin({
    kind: "switch",
    name: "my.rows-and-columns",
    about: "Arbitrates in two levels: among the inputs of a row, then among the rows.",
    limits: "one round of grants in each core step; the inputs of a smaller row get larger shares",
    can: abilities,
    params: schema({
      rows: int({ about: "Rows of tiles; the inputs are divided among them", min: 1, max: 16, default: 4 }),
      vcs: fields.vcs,
      buffer: fields.buffer,
      output: fields.output,
      speed: fields.speed,
    }),
    behaviour: {
      stand: (flits) => ({ vcs: 1, buffer: `${flits}flits`, output: "16flits" }),
      variants: [{ uniform: 0.9 }, { with: () => ({ rows: 2 }), uniform: 0.9 }],
      group: ({ rows = 4 }, ports) => Math.ceil(ports / Number(rows)),
    },
    check: (p, { topology }) => check(p, topology.graph),
    make: (p, { topology }) => compose(p, topology.graph, { arbiter: (site) => tiles(site, p.rows, nextPort, lowest) }),
  })

/** The state is in columns, which have a part for each router. The rest is empty after each match. */
function tiles({ inputs, outputs, levels, column }, rows, nextPort, lowest) {
  const size = Math.ceil(outputs / rows)
  const rowOf = (input) => Math.min(rows - 1, Math.floor(input / size))
  const rowMask = new Int32Array(2 * rows)
  for (let i = 0; i < inputs; i++) rowMask[2 * rowOf(i) + (i >> 5)] |= 1 << i
  /** the input, the row and the output after the last one that was served */
  const [tile, turn, next] = [column(rows * outputs), column(outputs), column(inputs)]
  /** [level, output] -> inputs that request it; [level] -> outputs that are requested; [input] -> outputs that offer */
  const [asks, asked, offers] = [128 * levels, 2 * levels, 128].map((n) => new Int32Array(n))
  const pairs = new Int32Array(64)
  const free = new Int32Array(2)

  /** Returns the input that an output grants on a level, or -1. */
  function choose(router, level, o) {
    const at = 2 * (64 * level + o)
    for (let k = 0; k < rows; k++) {
      const row = (turn[router * outputs + o] + k) % rows
      const low = asks[at] & rowMask[2 * row] & free[0]
      const high = asks[at + 1] & rowMask[2 * row + 1] & free[1]
      if ((low | high) !== 0) return nextPort(low, high, tile[(router * rows + row) * outputs + o])
    }
    return -1
  }

  return {
    pairs,
    request(level, input, low, high) {
      asked[2 * level] |= low
      asked[2 * level + 1] |= high
      for (let m = low; m !== 0; m &= m - 1) asks[2 * (64 * level + lowest(m)) + (input >> 5)] |= 1 << input
      for (let m = high; m !== 0; m &= m - 1) asks[2 * (64 * level + 32 + lowest(m)) + (input >> 5)] |= 1 << input
    },
    match(router) {
      let n = 0
      let taken = [0, 0]
      free.fill(-1)
      for (let level = 0; level < levels; level++) {
        for (const word of [0, 1])
          for (let m = asked[2 * level + word] & ~taken[word]; m !== 0; m &= m - 1) {
            const o = 32 * word + lowest(m)
            const input = choose(router, level, o)
            if (input >= 0) offers[2 * input + word] |= 1 << o
          }
        const from = n
        for (let input = 0; input < inputs; input++) {
          const [low, high] = [offers[2 * input], offers[2 * input + 1]]
          if ((low | high) === 0) continue
          offers.fill(0, 2 * input, 2 * input + 2)
          pairs[n++] = (level << 16) | (input << 8) | nextPort(low, high, next[router * inputs + input])
        }
        for (let k = from; k < n; k++) {
          const [input, o] = [(pairs[k] >> 8) & 255, pairs[k] & 255]
          free[input >> 5] &= ~(1 << input)
          taken = o < 32 ? [taken[0] | (1 << o), taken[1]] : [taken[0], taken[1] | (1 << o)]
          next[router * inputs + input] = (o + 1) % outputs
          turn[router * outputs + o] = (rowOf(input) + 1) % rows
          tile[(router * rows + rowOf(input)) * outputs + o] = (input + 1) % inputs
        }
      }
      asks.fill(0)
      asked.fill(0)
      return n
    },
  }
}
