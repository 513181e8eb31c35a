#!/usr/bin/env node
import process from "node:process"
import { threadsCompileHere } from "../lab/compile-here.ts"
import { main } from "./program.ts"

threadsCompileHere()

// A reader that has seen enough (`| head`) is not an error.
process.stdout.on("error", (e: NodeJS.ErrnoException) => {
  if (e.code === "EPIPE") process.exit(0)
  throw e
})

process.exitCode = await main(process.argv.slice(2))
