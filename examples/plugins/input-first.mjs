// @ts-check
// A switch with the separable input-first allocator of D. U. Becker and W. J. Dally, "Allocator implementations for
// network-on-chip routers", 2009: each input chooses one of its requests, then each output chooses one of the inputs.
// It gives the results of the built-in switch `combined`, so it is a start for arbiters of your own.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, switching: { fields, abilities, check, compose, nextPort, lowest } }) =>
  plugin({
    kind: "switch",
    name: "my.input-first",
    about: "Inputs choose one of their requests, then outputs choose one of the inputs.",
    can: abilities,
    params: schema({ vcs: fields.vcs, buffer: fields.buffer, output: fields.output, speed: fields.speed }),
    behaviour: {
      stand: (flits) => ({ vcs: 1, buffer: `${flits}flits`, output: "16flits" }),
      variants: [{ uniform: 0.95 }],
    },
    check: (p, { topology }) => check(p, topology.graph),
    make: (p, { topology }) => compose(p, topology.graph, { arbiter: (site) => inputFirst(site, nextPort, lowest) }),
  })

function inputFirst({ inputs, outputs, levels, column }, nextPort, lowest) {
  /** [input] and [output] -> the port after the last one that was served */
  const [inNext, outNext] = [column(inputs), column(outputs)]
  /** [level, input] -> requested outputs; inputs with requests; [output] -> inputs that chose it, and their level */
  const requests = new Int32Array(128 * levels)
  const [asking, chosen, chosenLevel, met] = [2, 128, 64, 2].map((n) => new Int32Array(n))
  const pairs = new Int32Array(64)

  /** The input chooses one of its requests on the highest level that has any, and forgets all of them. */
  function choose(router, i) {
    let first = levels
    for (let level = levels - 1; level >= 0; level--)
      if ((requests[128 * level + 2 * i] | requests[128 * level + 2 * i + 1]) !== 0) first = level
    const at = 128 * first + 2 * i
    const o = nextPort(requests[at], requests[at + 1], inNext[router * inputs + i])
    for (let level = 0; level < levels; level++) requests[128 * level + 2 * i] = requests[128 * level + 2 * i + 1] = 0
    // An output serves the highest level of all inputs that chose it.
    if ((met[o >> 5] & (1 << o)) === 0 || first < chosenLevel[o]) {
      chosen[2 * o] = chosen[2 * o + 1] = 0
      chosenLevel[o] = first
    }
    if (first === chosenLevel[o]) chosen[2 * o + (i >> 5)] |= 1 << i
    met[o >> 5] |= 1 << o
  }

  return {
    pairs,
    request(level, i, low, high) {
      requests[128 * level + 2 * i] |= low
      requests[128 * level + 2 * i + 1] |= high
      asking[i >> 5] |= 1 << i
    },
    match(router) {
      let n = 0
      for (let m = asking[0]; m !== 0; m &= m - 1) choose(router, lowest(m))
      for (let m = asking[1]; m !== 0; m &= m - 1) choose(router, 32 + lowest(m))
      asking[0] = asking[1] = 0
      for (let word = 0; word < 2; word++)
        for (let m = met[word]; m !== 0; m &= m - 1) {
          const o = 32 * word + lowest(m)
          const i = nextPort(chosen[2 * o], chosen[2 * o + 1], outNext[router * outputs + o])
          inNext[router * inputs + i] = o + 1 === outputs ? 0 : o + 1
          outNext[router * outputs + o] = i + 1 === inputs ? 0 : i + 1
          pairs[n++] = (chosenLevel[o] << 16) | (i << 8) | o
        }
      met[0] = met[1] = 0
      return n
    },
  }
}
