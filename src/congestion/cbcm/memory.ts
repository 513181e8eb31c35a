// What contention-based congestion management costs in hardware, as its authors count it.
import { bitsFor } from "../../core/bitset.ts"
import type { CbcmParams } from "./params.ts"

/** Bytes of the samples of a router: those of the average, and the largest and smallest of its intervals; a sample is a number of inputs. */
export function routerBytes(ports: number, { samples, interval }: Pick<CbcmParams, "samples" | "interval">): number {
  return (ports * (samples + 2 * Math.floor(samples / interval)) * bitsFor(ports)) / 8
}

/** Bytes of an endpoint: a bit for each source on its list; a degree and tokens for each destination that throttles it. */
export function endpointBytes(endpoints: number, throttled: number): number {
  return endpoints / 8 + throttled * 2 * Math.ceil(bitsFor(endpoints) / 8)
}
