import type { Calls } from "../../src/results/calls.ts"

export type MemoryFile = { data: Uint8Array; changed: number; synced: boolean }
export type MemoryDisk = Calls & { readonly files: Map<string, MemoryFile>; readonly folders: Set<string> }
export type CallName = Exclude<keyof Calls, "pid">
export function memoryDisk(pid?: number, files?: Map<string, MemoryFile>, folders?: Set<string>): MemoryDisk
export function cloneDisk(disk: MemoryDisk, pid?: number, lost?: boolean): MemoryDisk
export function watchedDisk<D extends Calls>(disk: D, before: (name: CallName, args: readonly unknown[]) => void): D
