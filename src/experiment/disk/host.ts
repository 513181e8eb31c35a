// The Host of a program with a file system: it provides files, traces and memory limits to the platform-independent
// code.
import { totalmem } from "node:os"
import { relative, resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import type { PluginFile } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { bringing } from "../outside/known.ts"
import { digestHere, partsHere, piecesOf } from "./trace-here.ts"
import { readBytes, readIn } from "./user-file.ts"

/**
 * Returns a host for a folder. Paths are relative to the folder of the experiment; `plugins`: loaded custom plug-ins.
 */
export function hostAt(folder: string, plugins?: readonly PluginFile[]): Host {
  const machine: Host = {
    folder,
    read: readIn(folder),
    bytes: (path, most) => readBytes(resolve(folder, path), most),
    shown: (path) => relative(process.cwd(), resolve(folder, path)),
    parts: (path) => partsHere(resolve(folder, path)),
    pieces: (path) => piecesOf(resolve(folder, path)),
    digest: (path) => digestHere(resolve(folder, path)),
    inflate: gunzipSync,
    memory: totalmem(),
  }
  return bringing(machine, plugins)
}
