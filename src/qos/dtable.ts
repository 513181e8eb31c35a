// Deficit table scheduler: R. Martínez-Morais, F. J. Alfaro-Cortés and J. L. Sánchez, "Providing QoS with the Deficit
// Table Scheduler", 2009. On InfiniBand and Omni-Path switches: J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L.
// Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures", where weights are flow control
// credits of 64 bytes.
//
// The entries of a table are visited cyclically. An entry gives its queue a weight to send. A remainder that is too
// small for the next message is saved for the next entry of the queue. A queue is active when its head could be sent
// now. A queue that is not active when the scheduler is called loses its saved bytes and the rest of its entry.
//
// Limits: 64 entries. A weight below the largest message of its queue is served, too, but some visits send nothing.
import { bitsFor } from "../core/bitset.ts"
import { list, maybe, nested, schema } from "../core/schema.ts"
import { MOST_QUEUE, tableComplaints, tableField } from "../model/arbitration.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite, TableEntry } from "../model/scheduler.ts"
import { entriesOf, entryFrom, lowest } from "./bits.ts"
import { byPort, type PortPlace, placeComplaints, places } from "./by-port.ts"

/** Words of a row before those of its queues. */
const DEFICIT = 4

export function dtable(site: QosSite, entries: readonly TableEntry[]): QosScheduler {
  const { queueOf, bytesOf, low, high, serves } = entriesOf(entries)
  const { queues, unitBytes } = site
  // One record for each row, which fits a cache line for up to 12 queues: 1 + the entry selected last; 1 + the queue
  // that it serves, 0 = none; the bytes left of it; bits of queues with a deficit; bytes saved for each queue.
  const SHIFT = bitsFor(DEFICIT + queues)
  const table = site.ints(site.rows << SHIFT)
  const [POINTER, SERVING, ACCUMULATED, OWED, SAVED] = [0, 1, 2, 3, DEFICIT] as const

  /** Clears the saved bytes of these queues. */
  function forget(at: number, bits: number): void {
    for (let left = bits; left !== 0; left &= left - 1) table[at + SAVED + lowest(left)] = 0
    table[at + OWED] &= ~bits
  }

  return {
    columns: { table },
    digest(row, add) {
      const at = row << SHIFT
      for (let word = POINTER; word <= OWED; word++) add(word, 0, table[at + word])
      for (let queue = 0; queue < queues; queue++) add(DEFICIT, queue, table[at + SAVED + queue])
    },
    hears: false,
    arrived() {},
    pick(row, sendable, sizes, _, at) {
      const my = row << SHIFT
      const inactive = table[my + OWED] & ~sendable
      if (inactive !== 0) forget(my, inactive)
      const now = table[my + SERVING] - 1
      if (now >= 0) {
        const left = table[my + ACCUMULATED]
        if ((sendable & (1 << now)) !== 0) {
          if (left >= sizes[at + now] * unitBytes) return now
          // too small for the head: saved for the queue's next entry
          table[my + SAVED + now] = left
          if (left > 0) table[my + OWED] |= 1 << now
        }
        table[my + SERVING] = 0
        table[my + ACCUMULATED] = 0
      }
      const active = sendable & serves
      if (active === 0) return -1
      let lowBits = 0
      let highBits = 0
      for (let left = active; left !== 0; left &= left - 1) {
        const queue = lowest(left)
        lowBits |= low[queue]
        highBits |= high[queue]
      }
      let first = table[my + POINTER]
      for (;;) {
        const entry = entryFrom(lowBits, highBits, first)
        first = entry + 1
        const queue = queueOf[entry]
        const i = my + SAVED + queue
        const sum = bytesOf[entry] + table[i]
        if (sum >= sizes[at + queue] * unitBytes) {
          table[i] = 0
          table[my + OWED] &= ~(1 << queue)
          table[my + POINTER] = first
          table[my + SERVING] = queue + 1
          table[my + ACCUMULATED] = sum
          return queue
        }
        table[i] = sum
        table[my + OWED] |= 1 << queue
      }
    },
    sent(row, _, size) {
      table[(row << SHIFT) + ACCUMULATED] -= size * unitBytes
    },
  }
}

type Table = { table: readonly TableEntry[] }
type Params = Table & { ports?: readonly (PortPlace & Table)[] | undefined }

export default {
  kind: "qos",
  name: "dtable",
  about:
    "Deficit table: queues are served in the order of a table with weights, and a remainder is saved " +
    "for the queue's next entry.",
  cites:
    "Providing QoS with the Deficit Table Scheduler, R. Martínez-Morais, F. J. Alfaro-Cortés and J. L. Sánchez, 2009",
  limits: "at most 64 entries; a queue without an entry is never served",
  params: schema({
    table: tableField({
      about: "Entries of the table in the order of service, queue:weight in units of 64 bytes",
      most: MOST_QUEUE,
    }),
    ports: maybe(
      list(
        nested(
          schema({
            ...places,
            table: tableField({ about: "Entries of the table of these ports", most: MOST_QUEUE }),
          }),
        ),
        {
          about:
            "Tables of some ports of switches, of which the last that fits counts; the others have the table above",
          atLeast: 1,
        },
      ),
    ),
  }),
  make({ table, ports = [] }): QosModel {
    return {
      serves: ports.reduce((bits, row) => bits & entriesOf(row.table).serves, entriesOf(table).serves),
      check: (largest, network) => [
        ...tableComplaints(table, largest, "table"),
        ...ports.flatMap((row, i) => tableComplaints(row.table, largest, `ports.${i}.table`)),
        ...placeComplaints("ports", ports, network),
      ],
      build: (site) =>
        byPort(
          site,
          ports,
          (at) => dtable(at, table),
          (at, row) => dtable(at, row.table),
        ),
    }
  },
} satisfies Plugin<Params, QosModel, unknown>
