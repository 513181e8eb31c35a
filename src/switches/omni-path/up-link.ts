/**
 * Words of the record of an up-link.
 *   `writes`, `reads`  flits per cycle that enter and leave its central buffer;
 *   `load`             flits of the packets in it;
 *   `wants`            outputs (two words) for which it has a packet;
 *   `turn`             round-robin pointer over its queues (output * VLs + VL, or VL).
 */
export const UP_LINK = { writes: 0, reads: 1, load: 2, wants: 3, turn: 5, shift: 3 } as const
