#!/usr/bin/env node
// The entry point of the command line. It enables the compile cache of Node before anything else is imported, then
// loads the program.
import process from "node:process"
import { keepCompiled, threadsCompileHere } from "../run/compile-here.ts"
import { watchOutput } from "./stops.ts"

threadsCompileHere()
keepCompiled()

watchOutput()

const { main } = await import("./program.ts")
process.exitCode = await main(process.argv.slice(2))
