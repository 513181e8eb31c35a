// Terms of the glossary: engines.
import type { Term } from "./term.ts"

export const engineTerms: readonly Term[] = [
  {
    term: "barrier",
    about: "A point at which all workers wait for each other.",
    also: ["barriers"],
    older: ["meeting", "meet", "met"],
  },
  {
    term: "worker thread",
    about: "One thread of a parallel run.",
    also: ["worker group", "PE"],
    older: ["team", "teammate", "crew"],
  },
  {
    term: "message channel",
    about: "A ring buffer with one writer and one reader, between two workers.",
    also: ["SPSC ring buffer"],
    older: ["mail"],
  },
  { term: "send buffer", about: "Messages to another worker until the next barrier.", older: ["outbox"] },
  {
    term: "synchronisation window",
    about: "The time that workers simulate between two barriers, at most the lookahead.",
    also: ["lookahead", "conservative window", "YAWNS"],
    older: ["window (workers)"],
  },
  {
    term: "lower bound on time stamps",
    about: "A worker guarantees that it sends no message with an earlier time.",
    also: ["LBTS", "null message", "GVT"],
    older: ["promise"],
  },
  {
    term: "global synchronisation point",
    about: "A time that all workers have reached, at which a run can pause.",
    older: ["common time"],
  },
  {
    term: "rollback check",
    about: "Every event is executed, undone and executed again, and the states are compared.",
    older: ["rehearsal"],
  },
  {
    term: "JIT warm-up",
    about: "Rare code paths run once before cycle 0, so that V8 compiles them.",
    older: ["beforehand"],
  },
  {
    term: "trace event",
    about: "A row of the probe events: cycle, kind and three numbers.",
    also: ["trace events", "delivery record"],
    older: ["facts", "fact"],
  },
  { term: "measurement state", about: "The state of a measurement in progress.", older: ["course"] },
  { term: "termination", about: "The end of a run and its reason.", also: ["endpoints"], older: ["ends"] },
  {
    term: "progress watchdog",
    about: "A periodic check that packets still advance.",
    also: ["sample"],
    older: ["looks", "look"],
  },
  {
    term: "saturation load",
    about: "The highest load that a network sustains with bounded latency.",
    also: ["saturation throughput"],
    older: ["knee"],
  },
  {
    term: "symbolic network view",
    about: "A network state that the deadlock proof chooses, so that it explores every decision of a routing.",
    older: ["oracle"],
  },
  {
    term: "state-space exploration",
    about: "The deadlock proof enumerates all decisions of a routing.",
    also: ["traversal"],
    older: ["walker", "walk"],
  },
  {
    term: "witness",
    about: "A packet that shows a dependency between two channels.",
    also: ["proof input"],
    older: ["subject"],
  },
  {
    term: "verdict",
    about: "The classification of a network without progress: deadlock, starvation or waiting ranks.",
    also: ["classify"],
    older: ["judge"],
  },
  { term: "exploration limit", about: "A bound on the work of the deadlock proof.", older: ["effort"] },
  { term: "sequential", about: "A run in one thread.", also: ["sequential mode"], older: ["alone"] },
  { term: "divergence", about: "The first difference between two runs that should be equal.", older: ["parting"] },
  {
    term: "inspection API",
    about: "The functions with which the studio reads the state of a run.",
    also: ["packet trace"],
    older: ["sight", "journey"],
  },
  { term: "reference model", about: "A simple second implementation that must give the same result.", older: ["twin"] },
  {
    term: "randomised differential tests",
    about: "Random configurations that run in all modes and must give equal results.",
    older: ["matrix"],
  },
]
