// Size of the content-addressable memory (CAM) of a port: each line has 6 bytes of fields, and 2 bytes for each
// destination that its list can hold.

export function camBytes(lines: number, destinations: number): number {
  return lines * (6 + 2 * destinations)
}
