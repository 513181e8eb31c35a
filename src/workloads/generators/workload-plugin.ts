// What `jobs` name: a program, or traffic that goes on beside them.
import type { Plugin } from "../../model/plugin.ts"
import type { Program } from "../program.ts"
import type { Background } from "./background.ts"

export type WorkloadPlugin<P> = Plugin<P, Program | Background, undefined> & { readonly kind: "workload" }
