// @ts-check
// Traffic of three kinds in one module: a pattern, a size distribution and an arrival process.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, cycles, flits, fraction, complain }) => [
  plugin({
    kind: "pattern",
    name: "my.shift",
    about: "Each endpoint sends to the one that is `by` numbers further.",
    permutation: true,
    params: schema({ by: int({ about: "Distance of the destination in endpoint numbers", min: 1, default: 1 }) }),
    check: ({ by }, { topology }) =>
      by < topology.graph.ends
        ? []
        : [complain("by", `is ${by}, but there are ${topology.graph.ends} endpoints`, "choose a smaller number")],
    make: ({ by }, { topology }) => ({ dest: (from) => (from + by) % topology.graph.ends }),
  }),
  plugin({
    kind: "sizes",
    name: "my.mice",
    about: "Short packets, and a fraction of long ones.",
    params: schema({
      short: flits({ about: "Length of the short packets", min: 1, max: 64, default: "1flit" }),
      long: flits({ about: "Length of the long packets", min: 2, max: 64, default: "8flits" }),
      part: fraction({ about: "Fraction of long packets", above: 0, default: 0.1 }),
    }),
    check: ({ short, long }) =>
      short < long ? [] : [complain("long", `${long} flits are not more than ${short}`, "choose a larger number")],
    make: ({ short, long, part }) => ({
      mean: short + part * (long - short),
      max: long,
      size: (rng) => (rng.unit() <= part ? long : short),
    }),
  }),
  plugin({
    kind: "arrivals",
    name: "my.pairs",
    about: "Two packets shortly after each other, at the requested mean rate.",
    params: schema({ apart: cycles({ about: "Time between the two", min: 0, max: 64, default: "1cycle" }) }),
    make: ({ apart }, { rate }) => {
      const gap = Math.max(0, 2 / rate - apart)
      // The only state is the integer of the source: it tells which of the two packets is next.
      return {
        first: (source) => source % 7,
        next(_source, last, _rng, state, i) {
          state[i] ^= 1
          return state[i] === 1 ? last + apart : last + gap
        },
      }
    },
  }),
]
