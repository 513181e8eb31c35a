// A file system in memory with the calls of src/results/calls.ts: for tests that visit every call of a session, and for
// fuzzed folders that never touch a disk. Links are counted by sharing; what was written and not yet synced is known.
import { dirname } from "node:path"

const failed = (code, syscall, path) => Object.assign(new Error(`${code}: ${syscall} ${path}`), { code, syscall, path })

export function memoryDisk(pid = 2 ** 30, files = new Map(), folders = new Set(["/"])) {
  const open = new Map()
  const bytes = new TextEncoder()
  const fileAt = (path, syscall) => {
    const file = files.get(path)
    if (file === undefined) throw failed(folders.has(path) ? "EISDIR" : "ENOENT", syscall, path)
    return file
  }
  const inFolder = (path, syscall) => {
    if (!folders.has(dirname(path))) throw failed(files.has(dirname(path)) ? "ENOTDIR" : "ENOENT", syscall, path)
  }
  return {
    pid,
    files,
    folders,
    kind: (path) => (files.has(path) ? "file" : folders.has(path) ? "folder" : undefined),
    isFolder: (path) => folders.has(path),
    list(folder) {
      if (!folders.has(folder)) throw failed(files.has(folder) ? "ENOTDIR" : "ENOENT", "scandir", folder)
      const within = (path) => path !== folder && dirname(path) === folder
      return [...files.keys(), ...folders].filter(within).map((path) => path.slice(path.lastIndexOf("/") + 1))
    },
    read(path, most) {
      const { data } = fileAt(path, "open")
      if (data.length > most) throw failed("TOO_LARGE", "read", path)
      return data
    },
    changed: (path) => fileAt(path, "stat").changed,
    mkdir(path) {
      inFolder(path, "mkdir")
      if (files.has(path) || folders.has(path)) throw failed("EEXIST", "mkdir", path)
      folders.add(path)
    },
    create(path) {
      inFolder(path, "open")
      if (files.has(path) || folders.has(path)) throw failed("EEXIST", "open", path)
      const fd = 3 + open.size
      files.set(path, { data: new Uint8Array(0), changed: Date.now(), synced: true })
      open.set(fd, files.get(path))
      return fd
    },
    write(fd, data) {
      const file = open.get(fd)
      file.data = Buffer.concat([file.data, typeof data === "string" ? bytes.encode(data) : data])
      file.synced = false
    },
    sync(fd) {
      open.get(fd).synced = true
    },
    close() {},
    syncFolder(path) {
      if (!folders.has(path)) throw failed("ENOENT", "open", path)
    },
    rename(from, to) {
      const file = fileAt(from, "rename")
      inFolder(to, "rename")
      files.delete(from)
      files.set(to, file)
    },
    link(from, to) {
      const file = fileAt(from, "link")
      inFolder(to, "link")
      if (files.has(to)) throw failed("EEXIST", "link", to)
      files.set(to, file)
    },
    remove(path) {
      if (folders.has(path)) throw failed("EISDIR", "rm", path)
      files.delete(path)
    },
    touch(path) {
      fileAt(path, "utime").changed = Date.now()
    },
  }
}

/** The same content for another process; `lost`: as a power cut leaves it, half of what was not synced. */
export function cloneDisk(disk, pid = disk.pid, lost = false) {
  const twins = new Map()
  const twin = (file) => {
    const data = lost && !file.synced ? file.data.subarray(0, file.data.length >> 1) : file.data
    if (!twins.has(file)) twins.set(file, { ...file, data })
    return twins.get(file)
  }
  return memoryDisk(pid, new Map([...disk.files].map(([path, file]) => [path, twin(file)])), new Set(disk.folders))
}

/** Tells `before` of each call (name, arguments) before it is made. */
export function watchedDisk(disk, before) {
  const made = { ...disk }
  for (const [name, act] of Object.entries(disk)) {
    if (typeof act === "function")
      made[name] = (...args) => {
        before(name, args)
        return act(...args)
      }
  }
  return made
}
