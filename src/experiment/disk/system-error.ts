// Error codes of the operating system as messages with a fix. One table for readers, writers and the command line.
import { type Complaint, complain } from "../../core/complaint.ts"
import { NotReadable } from "../../model/host.ts"

export type Told = readonly [says: string, fix: string]

/** Problems of the disk or the machine: the same command may succeed later. */
const troubles: Readonly<Record<string, Told>> = {
  ENOSPC: ["the disk is full", "free some space and run the same command again: finished runs are kept"],
  EDQUOT: ["your disk quota is used up", "free some space and run the same command again: finished runs are kept"],
  EIO: ["the disk reports an input/output error", "check the disk, then run the same command again"],
  EMFILE: ["too many open files", "raise the limit of open files (ulimit -n)"],
  ENFILE: ["too many open files on this machine", "close other programs, then run the same command again"],
  ENOMEM: ["the machine has no memory left", "close other programs, or use fewer --workers"],
  EAGAIN: ["the machine has no more threads or files to give", "close other programs, or use fewer --workers"],
}

/** Problems of the request. */
const refusals: Readonly<Record<string, Told>> = {
  EROFS: ["the file system is read-only", "choose a folder that can be written with --out"],
  EACCES: ["permission denied", "choose a folder that you may use with --out"],
  EPERM: ["the system does not permit it", "choose a folder that you may use with --out"],
  ENOENT: ["does not exist", "check the path"],
  ENOTDIR: ["a part of the path is a file, not a folder", "check the path"],
  EEXIST: ["is a file where a folder is needed", "move it away, or choose another folder with --out"],
  EISDIR: ["is a folder, not a file", "check the path"],
  ELOOP: ["is a link that leads back to itself", "remove the link, or name the file that it should lead to"],
  ENAMETOOLONG: ["is a longer name than the file system takes", "use a shorter name"],
  EINVAL: ["is not a name that the file system takes", "use another name"],
  EILSEQ: ["is not a name that the file system takes", "use another name"],
  EFBIG: ["is larger than the file system takes", "write it to another file system"],
  ENOTEMPTY: ["is a folder that is not empty", "move it away, or choose another folder with --out"],
  EXDEV: ["is on another file system", "keep the folder on one file system"],
  EBUSY: ["is in use by another program", "wait until that has ended, then run the same command again"],
  ETXTBSY: ["is in use by another program", "wait until that has ended, then run the same command again"],
  ENXIO: ["is a device or a pipe without a process at its other end", "name a plain file"],
  ENODEV: ["is a device that is not there", "name a plain file"],
  ERR_INVALID_ARG_VALUE: ["has a character that no path can have (NUL)", "remove it"],
  ERR_FS_FILE_TOO_LARGE: ["is too large to be read", "make it smaller"],
  ERR_STRING_TOO_LONG: ["is too large to be read", "make it smaller"],
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** Returns the meaning of an operating-system error; undefined for any other error, which is a bug. */
export function toldOf(error: unknown): Told | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  // Node uses the same code for other arguments, and that would be a bug.
  if (code === "ERR_INVALID_ARG_VALUE" && !/null bytes/.test(String(error))) return undefined
  const known = troubles[code] ?? refusals[code]
  if (known !== undefined) return known
  const errno = /^E[A-Z0-9]+$/.test(code) && error instanceof Error && "syscall" in error
  return errno ? [`the system refuses it (${code})`, "check the path and the disk"] : undefined
}

/** Returns true if the disk or the machine is the cause. */
export function isTrouble(error: unknown): boolean {
  return Object.hasOwn(troubles, codeOf(error) ?? "")
}

/** Returns the path that the system reports, or `otherwise`. */
export function pathOf(error: unknown, otherwise: string): string {
  return error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : otherwise
}

/** Returns a complaint for an operating-system error; undefined for any other error. */
export function systemComplaint(error: unknown, path: string): Complaint | undefined {
  const told = toldOf(error)
  return told === undefined ? undefined : complain(pathOf(error, path), told[0], told[1])
}

/** Returns why a file cannot be read, as a sentence without its subject. */
export function unreadable(e: unknown): string {
  if (e instanceof NotReadable) return e.message
  const code = codeOf(e)
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist"
  if (code === "EACCES" || code === "EPERM") return "may not be read (permission denied)"
  return toldOf(e)?.[0] ?? `cannot be read (${e instanceof Error ? e.message : String(e)})`
}
