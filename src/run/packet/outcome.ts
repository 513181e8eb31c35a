// How a measured packet run ended.
import type { Stopped } from "../ends.ts"

export interface PacketOutcome {
  readonly why: Stopped["why"]
  readonly explains: string
  /** measured window in cycles */
  readonly from: number
  readonly to: number
  /** flits sent on each channel in it */
  readonly channels: Uint32Array
  readonly half?: number
  /** half width of the 95 % interval of what was accepted, relative to what was offered; infinite if the window was too short to tell: then there is no number */
  readonly acceptedHalf?: number
  /** bytes that the streams created in the window */
  readonly created?: number
}
