// The host of a program on a machine with files.
import { totalmem } from "node:os"
import type { PluginFile } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { outsideOf } from "../outside/known.ts"
import { readIn } from "./user-file.ts"

/** Paths are relative to the folder of the experiment; `plugins`: those that it brings, loaded before. */
export function hostAt(folder: string, plugins?: readonly PluginFile[]): Host {
  const outside = outsideOf(plugins)
  return { folder, read: readIn(folder), memory: totalmem(), ...(outside === undefined ? {} : { outside }) }
}
