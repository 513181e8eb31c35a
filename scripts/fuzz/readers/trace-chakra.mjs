// Fuzz target: Chakra execution traces of two ranks.
import { traceReader } from "../traces.mjs"

const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))])
const bytes = (field, list) => [...varint(field * 8 + 2), ...varint(list.length), ...list]
const text = (field, s) => bytes(field, [...Buffer.from(s)])
const number = (field, n) => [...varint(field * 8), ...varint(n)]
const attribute = (name, n) => bytes(10, [...text(1, name), ...number(9, n)])
const message = (list) => [...varint(list.length), ...list]
const node = (id, type, deps, attributes) =>
  message([
    ...number(1, id),
    ...text(2, "n"),
    ...number(3, type),
    ...bytes(5, deps),
    ...number(7, 3),
    ...Object.entries(attributes).flatMap(([k, v]) => attribute(k, v)),
  ])
const file = (rank) =>
  Uint8Array.from([
    ...message(text(1, "0.0.4")),
    ...node(1, 5, [], { comm_size: 99, comm_dst: 1 - rank, comm_tag: 1 }),
    ...node(2, 6, [], { comm_size: 99, comm_src: 1 - rank, comm_tag: 1 }),
    ...node(3, 4, [1, 2], {}),
    ...node(4, 7, [3], { comm_type: 2, comm_size: 1000 }),
  ])
export default traceReader({ "t.0.et": file(0), "t.1.et": file(1) })
