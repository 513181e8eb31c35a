// Hardware cost of contention-based congestion management, computed as in the paper. Reports show it.
import { bitsFor } from "../../core/bitset.ts"
import type { CbcmParams } from "./params.ts"

/**
 * Returns the bytes of a router's samples: those of the moving average, and the largest and smallest of its intervals.
 * A sample is a number of inputs.
 */
export function routerBytes(ports: number, { samples, interval }: Pick<CbcmParams, "samples" | "interval">): number {
  return (ports * (samples + 2 * Math.floor(samples / interval)) * bitsFor(ports)) / 8
}

/**
 * Returns the bytes of an endpoint: a bit for each source on its list; a degree and tokens for each destination that
 * throttles it.
 */
export function endpointBytes(endpoints: number, throttled: number): number {
  return endpoints / 8 + throttled * 2 * Math.ceil(bitsFor(endpoints) / 8)
}
