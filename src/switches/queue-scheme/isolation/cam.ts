// Bytes of the CAM of a port: each line has 6 bytes of fields beside its list, and 2 bytes for each destination that the list may hold.

export function camBytes(lines: number, destinations: number): number {
  return lines * (6 + 2 * destinations)
}
