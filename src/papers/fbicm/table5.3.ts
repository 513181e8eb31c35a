// Table 5.3: bytes of a port's CAM. Read off the function that the switch's page quotes.
import { camBytes } from "../../switches/queue-scheme/isolation/cam.ts"
import { exactly, type PaperFigure, type Read } from "../paper.ts"
import { cites } from "./network.ts"

const whole = { 64: 1072, 256: 4144, 1024: 16432 } as const

export default {
  id: "fbicm/table5.3",
  number: "Table 5.3",
  cites,
  title: "Memory of the CAM of a port, in bytes",
  claim: "1,072, 4,144 and 16,432 bytes with whole lists of 64, 256 and 1,024 endpoints; 176 with lists of 8",
  inspect: () => ({
    ...Object.fromEntries(Object.keys(whole).map((n) => [n, camBytes(8, Number(n))])),
    short: camBytes(8, 8),
  }),
  rows: (_runs, _mode, read: Read) => [
    ...Object.entries(whole).map(([n, bytes]) =>
      exactly(`version 1, ${n} endpoints`, bytes, read(n), "8 lines of 6 + 2 bytes for each endpoint"),
    ),
    exactly("version 2, any number of endpoints", 176, read("short"), "8 lines of 6 + 2 x 8 bytes"),
  ],
} satisfies PaperFigure
