// lacewing completion bash|zsh|fish: prints a script that completes commands, options and the values of arguments. The
// script is generated from the commands themselves.
import type { Command } from "commander"
import { nearest } from "../../core/complaint.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { experimentNames } from "../../experiment/places.ts"
import { starters } from "../../experiment/starters/index.ts"
import { everything } from "../../inspect/explain.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe, listOf } from "../help.ts"

const shells = ["bash", "zsh", "fish"] as const
type Shell = (typeof shells)[number]

interface Completed {
  readonly name: string
  readonly about: string
  readonly options: readonly { readonly flag: string; readonly about: string; readonly choices: readonly string[] }[]
  /** Possible values of its arguments; `files`: also paths. */
  readonly words: readonly string[]
  readonly files: boolean
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      'Bash: add eval "$(lacewing completion bash)" to ~/.bashrc. Zsh: the same with zsh in ~/.zshrc.\nFish: save the script as ~/.config/fish/completions/lacewing.fish.',
    examples: ["lacewing completion bash", "lacewing completion fish"],
  })
  command.argument("<shell>", `Shell: ${listOf(shells)}`).action(async (shell: string) => {
    const known = shells.find((s) => s === shell)
    if (known === undefined) {
      const near = nearest(shell, shells)
      throw new Exit(
        exit.wrongInput,
        `There is no completion for "${shell}".\n  fix: ${near === undefined ? `choose ${listOf(shells)}` : `did you mean "${near}"?`}`,
      )
    }
    const { papers } = await import("../../reproduce/papers/index.ts")
    io.out(
      scriptFor(
        known,
        completed(
          visible(command.parent),
          papers.map((f) => f.id),
        ),
      ),
    )
  })
}

function visible(program: Command | null): readonly Command[] {
  return program === null ? [] : program.createHelp().visibleCommands(program)
}

/** Returns the data of all commands. The program defines all commands before it runs this one. */
function completed(commands: readonly Command[], figures: readonly string[]): Completed[] {
  const catalog = new Catalog()
  const experiments = experimentNames()
  const topologies = catalog.family("topology").map((t) => t.name)
  const words = [...new Set([...everything(catalog).map((e) => e.key), ...commands.map((c) => c.name())])]
  const of: Readonly<Record<string, readonly string[]>> = {
    run: experiments,
    check: experiments,
    route: experiments,
    arena: experiments,
    interference: experiments,
    topology: topologies,
    cost: topologies,
    list: [...new Set<string>(catalog.plugins.map((p) => p.kind)), "experiments"],
    explain: words,
    manual: words,
    paper: figures,
    completion: shells,
  }
  const plain = new Set(["list", "explain", "manual", "paper", "completion", "topology", "cost", "doctor"])
  return commands
    .filter((c) => c.name() !== "help")
    .map((c) => {
      const name = c.name()
      const options = [c, ...c.commands]
        .flatMap((each) => each.options)
        .filter((o) => !o.hidden)
        .map((o) => ({
          flag: o.long ?? o.flags,
          about: o.description,
          choices: o.argChoices ?? (o.long === "--template" ? Object.keys(starters) : []),
        }))
      const once = [...new Map(options.map((o) => [o.flag, o])).values()]
      return {
        name,
        about: c.description(),
        options: once,
        words: [...(of[name] ?? []), ...c.commands.map((i) => i.name())],
        files: !plain.has(name),
      }
    })
}

export function scriptFor(shell: Shell, all: readonly Completed[]): string {
  if (shell === "fish") return fish(all)
  const bash = bashScript(all)
  return shell === "bash"
    ? bash
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

function bashScript(all: readonly Completed[]): string {
  const cases = all.map(
    (c) =>
      `    ${c.name}) flags="${c.options.map((o) => o.flag).join(" ")} --help"; words="${c.words.join(" ")}"; files=${c.files ? 1 : 0} ;;`,
  )
  const choices = all.flatMap((c) =>
    c.options
      .filter((o) => o.choices.length > 0)
      .map((o) => `    "${c.name} ${o.flag}") COMPREPLY=($(compgen -W "${o.choices.join(" ")}" -- "$cur")); return ;;`),
  )
  return `# lacewing completion for bash: eval "$(lacewing completion bash)"
_lacewing() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" flags="" words="" files=1
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${all.map((c) => c.name).join(" ")} help --help --version" -- "$cur"))
    return
  fi
  case "$command $prev" in
${choices.join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *)
      COMPREPLY=($(compgen -W "$words" -- "$cur"))
      if [ "$files" -eq 1 ]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
      ;;
  esac
}
complete -o filenames -F _lacewing lacewing`
}

function fish(all: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  return [
    "# lacewing completion for fish: lacewing completion fish > ~/.config/fish/completions/lacewing.fish",
    ...all.flatMap((c) => {
      const when = quoted(`__fish_seen_subcommand_from ${c.name}`)
      return [
        `complete -c lacewing -n __fish_use_subcommand -f -a ${c.name} -d ${quoted(c.about)}`,
        ...c.options
          .filter((o) => o.flag.startsWith("--"))
          .map(
            (o) =>
              `complete -c lacewing -n ${when} -l ${o.flag.slice(2)} -d ${quoted(o.about)}${o.choices.length > 0 ? ` -xa ${quoted(o.choices.join(" "))}` : ""}`,
          ),
        ...(c.words.length > 0
          ? [`complete -c lacewing -n ${when}${c.files ? "" : " -f"} -a ${quoted(c.words.join(" "))}`]
          : []),
      ]
    }),
  ].join("\n")
}
