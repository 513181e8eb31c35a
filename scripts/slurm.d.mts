import type { SpawnSyncReturns } from "node:child_process"

export interface Cluster {
  readonly dir: string
  readonly conf: string
  readonly env: Record<string, string>
  ask(program: string, ...args: string[]): SpawnSyncReturns<string>
  killNode(n: number): Promise<void>
  startNode(n: number): void
  stopController(): Promise<void>
  startController(): void
  stop(): Promise<void>
}
export function findSlurm(): string | undefined
export function installSlurm(): void
export function startSlurm(
  folder: string,
  options?: { readonly nodes?: number; readonly killWait?: number; readonly partition?: string },
): Promise<Cluster>
