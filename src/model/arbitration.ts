// Arbitration tables as users write them, a list of `VL:weight` as in files of OpenSM: parsing, limits and complaints.
// The QoS plug-ins and `lacewing` commands for QoS use it.
import { type Complaint, complain } from "../core/complaint.ts"
import { json } from "../core/json-schema.ts"
import { type Field, list } from "../core/schema.ts"
import { kindOf } from "../core/units.ts"
import type { TableEntry } from "./scheduler.ts"

export const MOST_ENTRIES = 64

/** Bytes of one unit of weight: a flow control credit of InfiniBand. */
export const WEIGHT_BYTES = 64

/** Largest weight of an entry (eight bits). */
export const MOST_WEIGHT = 255

/** Largest VL of data, because VL 15 carries management. */
export const MOST_VL = 14

/** Largest queue number, because queues are bits of a word. */
export const MOST_QUEUE = 30

/** One `queue:weight`; `most`: the largest queue number that is permitted. */
export function entryField(most: number): Field<TableEntry> {
  return {
    info: { about: "Queue and weight", type: "queue:weight", required: true },
    json: json.string(),
    parse(raw, path) {
      const found = typeof raw === "string" ? /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(raw) : null
      if (found === null)
        return {
          bad: [
            complain(
              path,
              `expected a queue and its weight, found ${kindOf(raw)}`,
              "write queue:weight, for example 0:4",
            ),
          ],
        }
      const queue = Number(found[1])
      const weight = Number(found[2])
      const bad: Complaint[] = []
      if (queue > most)
        bad.push(
          complain(
            path,
            queue === 15 && most === MOST_VL
              ? "VL15 is for management and carries no data"
              : `queue ${queue} is too large`,
            `choose a queue from 0 to ${most}`,
          ),
        )
      if (weight > MOST_WEIGHT)
        bad.push(
          complain(
            path,
            `weight ${weight} does not fit the eight bits of an entry`,
            `write ${found[1]}:${MOST_WEIGHT} at most`,
          ),
        )
      return bad.length > 0 ? { bad } : { ok: { queue, weight } }
    },
  }
}

/** A list of entries, or a text such as `0:4,1:8`. */
export function tableField(o: { about: string; most: number; default?: string }): Field<readonly TableEntry[]> {
  const of = list(
    entryField(o.most),
    o.default === undefined ? { about: o.about, atLeast: 1 } : { about: o.about, default: [] },
  )
  return {
    ...of,
    info: { ...of.info, ...(o.default === undefined ? {} : { fallback: o.default }) },
    parse(raw, path, scale) {
      // An empty text is an empty table, not a table with one empty entry.
      const got = of.parse(typeof raw === "string" && raw.trim() === "" ? [] : raw, path, scale)
      if ("bad" in got || got.ok.length <= MOST_ENTRIES) return got
      return { bad: [complain(path, `has ${got.ok.length} entries`, `keep ${MOST_ENTRIES} at most`)] }
    },
  }
}

/**
 * Returns complaints about entries whose weight is below one message. `largest`: [queue] -> largest message in bytes, 0
 * if none is sent.
 */
export function tableComplaints(table: readonly TableEntry[], largest: ArrayLike<number>, path: string): Complaint[] {
  const bad: Complaint[] = []
  for (let e = 0; e < table.length; e++) {
    const { queue, weight } = table[e]
    const least = Math.ceil((largest[queue] ?? 0) / WEIGHT_BYTES)
    if (weight === 0 || weight >= least) continue
    bad.push(
      complain(
        `${path}.${e}`,
        `entry ${queue}:${weight} gives ${weight * WEIGHT_BYTES} bytes, and a message of queue ` +
          `${queue} may have ${largest[queue]}: a visit may send nothing`,
        least > MOST_WEIGHT
          ? `send messages of ${MOST_WEIGHT * WEIGHT_BYTES} bytes at most`
          : `write ${queue}:${least}`,
      ),
    )
  }
  return bad
}

/** Returns the text of a table: `0:4,1:8`. */
export function tableText(table: readonly TableEntry[]): string {
  return table.map(({ queue, weight }) => `${queue}:${weight}`).join(",")
}
