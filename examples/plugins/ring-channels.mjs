// @ts-check
// All-reduce on rings, as in NCCL: the vector is divided among `channels` rings, which visit the ranks in different
// orders, and each part into `slices` that follow one another. A slice takes 2 (ranks - 1) steps: a reduce-scatter,
// then an all-gather. Each step sends to the next rank the data that the previous step brought.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, bytes, complain, program: { written, Kind, BLOCKS } }) =>
  plugin({
    kind: "workload",
    name: "my.ring-channels",
    about: "Ring all-reduce with several channels and slices.",
    params: schema({
      ranks: int({ about: "Number of ranks", min: 2, max: 65536, default: 16 }),
      bytes: bytes({ about: "Size of the vector", default: "1MiB" }),
      channels: int({ about: "Number of rings at the same time", min: 1, max: 32, default: 2 }),
      slices: int({ about: "Parts of a channel that follow one another", min: 1, max: 64, default: 2 }),
      iterations: int({ about: "Number of all-reduce operations, one after the other", min: 1, max: 1e6, default: 1 }),
    }),
    check: (p) => {
      const most = strides(p.ranks).length
      return p.channels > most
        ? [complain("channels", `${p.ranks} ranks have ${most} different rings`, `set it to at most ${most}`)]
        : []
    },
    make: (p) =>
      written(p.ranks, (rank, to) => {
        const part = Math.max(1, Math.ceil(p.bytes / (p.channels * p.slices * p.ranks)))
        // One lane per channel and slice. The stride of its ring has no common factor with the number of ranks.
        const lanes = strides(p.ranks)
          .slice(0, p.channels)
          .flatMap((stride) => Array(p.slices).fill(stride))
        // Each lane has four request numbers, two per parity of the step. A rank has a limited number of open
        // operations, so at most two steps are open.
        const send = (lane, step) => 4 * lane + 2 * (step & 1)
        const receive = (lane, step) => send(lane, step) + 1
        to.op(Kind.INIT, { flags: BLOCKS })
        to.loop(p.iterations, () => {
          for (let step = 0; step < 2 * (p.ranks - 1); step++) {
            if (step > 1) to.wait(lanes.flatMap((_, lane) => [send(lane, step), receive(lane, step)]))
            lanes.forEach((stride, lane) => {
              const needs = step === 0 ? {} : { needs: [receive(lane, step - 1)] }
              to.isend((rank + stride) % p.ranks, part, lane, send(lane, step), needs)
              to.irecv((rank + p.ranks - stride) % p.ranks, part, lane, receive(lane, step))
            })
          }
          to.wait(lanes.flatMap((_, lane) => [0, 1, 2, 3].map((i) => 4 * lane + i)))
        })
        to.op(Kind.FINALIZE, { flags: BLOCKS })
      }),
  })

const strides = (n) => Array.from({ length: n - 1 }, (_, i) => i + 1).filter((s) => divisor(s, n) === 1)
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b))
