#!/usr/bin/env node
import module from "node:module"
import process from "node:process"
import { main } from "./program.ts"

// A reader that has seen enough (`| head`) is not an error.
process.stdout.on("error", (e: NodeJS.ErrnoException) => {
  if (e.code === "EPIPE") process.exit(0)
  throw e
})

// Node 22 and later can keep compiled code from one process to the next: a short run then takes 3 to 10 % less time.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()

process.exitCode = await main(process.argv.slice(2))
