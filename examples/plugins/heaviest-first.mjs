// @ts-check
// Maximum weight matching, approximated greedily: the heaviest request first. The weight of a request is the age of its
// packet (oldest cell first), or the length of its queue (longest queue first). Equal weights are served in random
// order. The arbiter declares what it reads of packets; the counter of its random numbers is a column.

// In the order of creation, inputs get what their sources have created, and this varies at random.
const because = "it serves inputs by the age or the number of their packets"
const oldest = { uniform: 0.9, fair: false, bounded: false, because }

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, choice, random, switching: { fields, abilities, check, compose, lowest } }) =>
  plugin({
    kind: "switch",
    name: "my.heaviest-first",
    about: "Grants requests by the age of their packet or the length of their queue.",
    cites:
      "Achieving 100% Throughput in an Input-Queued Switch, N. McKeown, A. Mekkittikul, V. Anantharam and J. Walrand, 1999",
    limits: "a greedy matching has at least half of the largest weight",
    can: abilities,
    params: schema({
      weight: choice(["age", "queue"], { about: "Weight of a request", default: "age" }),
      ...{ vcs: fields.vcs, buffer: fields.buffer, output: fields.output, speed: fields.speed },
    }),
    behaviour: {
      stand: (flits) => ({ vcs: 1, buffer: `${flits}flits`, output: "16flits" }),
      variants: [oldest, { ...oldest, with: () => ({ weight: "queue" }) }],
    },
    check: (p, { topology }) => check(p, topology.graph),
    make: (p, { topology }) =>
      compose(p, topology.graph, {
        reads: [p.weight === "age" ? "ages" : "queues"],
        arbiter: (site) => heaviestFirst(site, p.weight, random, lowest),
      }),
  })

function heaviestFirst({ column, stream, created, queued }, weight, { draw, below }, lowest) {
  /** [router] -> random numbers that it has drawn */
  const drawn = column(1)
  /** requests since the last match: level, input and output, as in `pairs` */
  const requests = []
  const pairs = new Int32Array(64)
  const weightOf = weight === "age" ? (...request) => -created(...request) : queued

  function add(level, input, first, word) {
    for (let m = word; m !== 0; m &= m - 1) requests.push((level << 16) | (input << 8) | (first + lowest(m)))
  }

  return {
    pairs,
    request(level, input, low, high) {
      add(level, input, 0, low)
      add(level, input, 32, high)
    },
    match(router) {
      const word = stream(router)
      const order = requests.map((pair) => {
        const [level, input, output] = [pair >> 16, (pair >> 8) & 255, pair & 255]
        const tie = below(draw(word, drawn[router]++), 2 ** 20)
        return { pair, level, input, output, weight: weightOf(level, input, output), tie }
      })
      requests.length = 0
      order.sort((a, b) => a.level - b.level || b.weight - a.weight || a.tie - b.tie)
      const [inputs, outputs] = [new Set(), new Set()]
      let n = 0
      for (const { pair, input, output } of order) {
        if (inputs.has(input) || outputs.has(output)) continue
        inputs.add(input)
        outputs.add(output)
        pairs[n++] = pair
      }
      return n
    },
  }
}
