// A token travels round a ring of ranks. Its messages are strictly sequential, so the run time is the number of hops
// times the time of one message. This is a test of latency without contention.
import { BLOCKS, Kind, type Program } from "../program.ts"
import { written } from "../writer.ts"

export interface RingSize {
  readonly ranks: number
  readonly bytes: number
  readonly iterations: number
}

export function ring({ ranks, bytes, iterations }: RingSize): Program {
  return written(ranks, (r, w) => {
    w.op(Kind.INIT, { flags: BLOCKS })
    for (let lap = 0; lap < iterations; lap++) {
      if (r === 0) w.send(1 % ranks, bytes, lap)
      w.recv((r + ranks - 1) % ranks, bytes, lap)
      if (r > 0) w.send((r + 1) % ranks, bytes, lap)
    }
    w.op(Kind.FINALIZE, { flags: BLOCKS })
  })
}
