#!/usr/bin/env node
import process from "node:process"
import { threadsCompileHere } from "../run/compile-here.ts"
import { main } from "./program.ts"
import { watchOutput } from "./stops.ts"

threadsCompileHere()

watchOutput()

process.exitCode = await main(process.argv.slice(2))
