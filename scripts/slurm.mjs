// A private Slurm cluster on this machine for test/slurm: as root, without systemd, with no files under /etc.
//   node scripts/slurm.mjs --install          installs slurm-wlm and munge with apt-get if they are missing
//   node scripts/slurm.mjs --start FOLDER     starts four nodes, prints the SLURM_CONF to export, and runs until Ctrl-C
import { spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { install } from "./install.mjs"

const programs = ["sbatch", "slurmctld", "slurmd", "munged"]
const places = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"]

function pathOf(program) {
  return places.map((p) => join(p, program)).find((p) => p !== program && existsSync(p))
}

/** Returns the folder of sbatch, if all programs of a cluster are installed. */
export function findSlurm() {
  const found = programs.map(pathOf)
  return found.includes(undefined) ? undefined : found[0]
}

export function installSlurm() {
  install({
    name: "Slurm",
    find: findSlurm,
    package: "slurm-wlm munge",
    otherwise: "Install slurm-wlm and munge, or leave out test/slurm.",
  })
}

/** Returns this many consecutive free ports. */
async function freePorts(count) {
  for (let first = 17_000 + (process.pid % 8000); ; first += count) {
    const free = await Promise.all(
      Array.from(
        { length: count },
        (_, i) =>
          new Promise((done) => {
            const server = createServer()
            server.once("error", () => done(false)).listen(first + i, "127.0.0.1", () => server.close(() => done(true)))
          }),
      ),
    )
    if (free.every(Boolean)) return first
  }
}

/**
 * Starts munge, a controller and the nodes n1, n2, … of one core each in `folder`. `killWait` is the number of seconds
 * between the signals of scancel; `partition` has further settings of the partition.
 */
export async function startSlurm(folder, { nodes = 4, killWait = 3, partition = "MaxTime=INFINITE" } = {}) {
  const dir = resolve(folder)
  const host = hostname().split(".")[0]
  const port = await freePorts(nodes + 1)
  for (const sub of ["munge", "state", "log"]) mkdirSync(join(dir, sub), { recursive: true, mode: 0o755 })
  writeFileSync(join(dir, "munge/key"), randomBytes(1024), { mode: 0o600 })
  const conf = join(dir, "slurm.conf")
  const lines = [
    "ClusterName=lacewing",
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${port}`,
    "SlurmUser=root",
    "AuthType=auth/munge",
    `AuthInfo=socket=${dir}/munge/socket`,
    "CredType=cred/munge",
    `StateSaveLocation=${dir}/state`,
    `SlurmdSpoolDir=${dir}/spool.%n`,
    `SlurmctldPidFile=${dir}/slurmctld.pid`,
    `SlurmdPidFile=${dir}/slurmd.%n.pid`,
    `SlurmctldLogFile=${dir}/log/slurmctld.log`,
    `SlurmdLogFile=${dir}/log/slurmd.%n.log`,
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "MpiDefault=none",
    "ReturnToService=2",
    `KillWait=${killWait}`,
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core",
    "SlurmdParameters=config_overrides",
    "AccountingStorageType=accounting_storage/none",
    "JobAcctGatherType=jobacct_gather/none",
    "SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1",
    `NodeName=n[1-${nodes}] NodeHostname=${host} NodeAddr=127.0.0.1 ` +
      `Port=[${port + 1}-${port + nodes}] CPUs=1 RealMemory=2000 State=UNKNOWN`,
    `PartitionName=main Nodes=ALL Default=YES ${partition} State=UP`,
  ]
  writeFileSync(conf, `${lines.join("\n")}\n`)
  const env = { ...process.env, SLURM_CONF: conf, PATH: places.join(":") }
  const ask = (program, ...args) => spawnSync(program, args, { env, encoding: "utf8" })
  const running = new Map()
  const begin = (name, program, args) => {
    const log = openSync(join(dir, "log", `${name}.out`), "a")
    const child = spawn(pathOf(program), args, { env, stdio: ["ignore", log, log] })
    closeSync(log)
    const gone = new Promise((done) => child.once("exit", done).once("error", done))
    running.set(name, { child, gone })
  }
  const end = async (name, signal = "SIGTERM") => {
    const one = running.get(name)
    if (one === undefined) return
    running.delete(name)
    one.child.kill(signal)
    await one.gone
  }
  const controller = () => begin("slurmctld", "slurmctld", ["-D", "-f", conf])
  const node = (n) => begin(`n${n}`, "slurmd", ["-D", "-f", conf, "-N", `n${n}`])
  const idle = () => Number(ask("sinfo", "-h", "-t", "idle", "-o", "%D").stdout.trim() || 0)
  const munge = ["socket", "key-file", "log-file", "pid-file", "seed-file"].map(
    (f) => `--${f}=${dir}/munge/${f.replace("-file", "")}`,
  )
  begin("munged", "munged", ["--force", "--foreground", ...munge])
  while (!existsSync(join(dir, "munge/socket"))) await sleep(50)
  controller()
  for (let n = 1; n <= nodes; n++) node(n)
  while (idle() < nodes) await sleep(100)
  return {
    dir,
    conf,
    env,
    ask,
    /** SIGKILL: simulates the failure of a node. */
    killNode: (n) => end(`n${n}`, "SIGKILL"),
    startNode: node,
    stopController: () => end("slurmctld"),
    startController: controller,
    async stop() {
      ask("scancel", "-u", "root")
      for (const name of [...running.keys()].reverse()) await end(name)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [what, folder] = process.argv.slice(2)
  if (what === "--install") installSlurm()
  else if (what === "--start" && folder !== undefined) {
    const cluster = await startSlurm(folder)
    console.log(`export SLURM_CONF=${cluster.conf}`)
    process.once("SIGINT", () => void cluster.stop())
    process.once("SIGTERM", () => void cluster.stop())
  } else {
    console.error("slurm: write --install, or --start FOLDER")
    process.exitCode = 2
  }
}
