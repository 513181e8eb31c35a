/** Words of an up-link's record: flits a cycle that enter and leave its central buffer; flits of packets in it; outputs (two words) that it has a packet for;
 *  the queue (output * VLs + VL, or VL) that is looked at first. */
export const UP_LINK = { writes: 0, reads: 1, load: 2, wants: 3, turn: 5, shift: 3 } as const
