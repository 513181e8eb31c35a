// Small networks of InfiniBand and Omni-Path switches, built as an experiment would build them.
import { compile } from "../../src/compile/compile.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { wholeEngine } from "./combined.ts"
import { specOf, type Wish } from "./machine.ts"

export function infinibandEngine(w: Wish, parts = 1): TransferEngine {
  return wholeEngine(specOf({ flit: "64B", ...w, switch: { name: "infiniband", ...w.switch } }), parts)
}

export function complaintsOf(w: Wish): string[] {
  const c = compile(specOf({ flit: "64B", ...w, switch: { name: "infiniband", ...w.switch } }), { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} | ${b.fix}`) : []
}

export function omniPathEngine(w: Wish, parts = 1): TransferEngine {
  return infinibandEngine({ ...w, switch: { name: "omni-path", ...w.switch } }, parts)
}
