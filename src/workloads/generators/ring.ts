// A token that goes round a ring of ranks: every step is one message after the other, so its time is that of one message.
import { BLOCKS, Kind, type Program } from "../program.ts"
import { written } from "../writer.ts"

export interface RingSize {
  readonly ranks: number
  readonly bytes: number
  readonly laps: number
}

export function ring({ ranks, bytes, laps }: RingSize): Program {
  return written(ranks, (r, w) => {
    w.op(Kind.INIT, { flags: BLOCKS })
    for (let lap = 0; lap < laps; lap++) {
      if (r === 0) w.send(1 % ranks, bytes, lap)
      w.recv((r + ranks - 1) % ranks, bytes, lap)
      if (r > 0) w.send((r + 1) % ranks, bytes, lap)
    }
    w.op(Kind.FINALIZE, { flags: BLOCKS })
  })
}
