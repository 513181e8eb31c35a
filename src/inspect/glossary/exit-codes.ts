// Exit codes of all commands, for the manual. cli/command.ts has the same numbers; test/contract/probes.test.ts
// compares them.

export const exitCodes: Readonly<Record<number, string>> = {
  0: "the command succeeded",
  1:
    "an expectation, a comparison or a row failed, a run was not finished, or " +
    "the machine failed (a full disk, for example)",
  2: "the input is wrong, and nothing was run",
  3: "a simulated network deadlocked or starved",
  130: "interrupted by Ctrl-C, SIGTERM or SIGHUP; finished runs are stored",
}
