// The command bar: a dialog with a text field and the list of matching commands. On a narrow screen it is the menu.
import { h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { type Command, commands } from "./commands.ts"
import * as s from "./state.ts"

export function Palette() {
  return s.palette.value ? h(Dialog, null) : null
}

function Dialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, ask] = useState("")
  const [at, choose] = useState(0)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const found = commands(query)
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [chosen, query])
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    s.palette.value = false
    void command.does()
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => choose(Math.min(found.length - 1, chosen + 1)),
    ArrowUp: () => choose(Math.max(0, chosen - 1)),
    Enter: () => run(found[chosen]),
  }
  return h(
    "dialog",
    {
      ref: dialog,
      class: "palette",
      "aria-label": "Commands",
      onClose: () => void (s.palette.value = false),
      // A click on the backdrop.
      onClick: (e: Event) => void (e.target === dialog.current && (s.palette.value = false)),
    },
    h("input", {
      id: "command",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "commands",
      "aria-activedescendant": found.length === 0 ? undefined : `command-${chosen}`,
      "aria-label": "Search or type a command",
      placeholder: "Type a command, a cycle, or “router 5”",
      autocomplete: "off",
      spellcheck: false,
      value: query,
      onInput: (e: Event) => {
        ask((e.target as HTMLInputElement).value)
        choose(0)
      },
      onKeyDown: (e: KeyboardEvent) => {
        const does = keys[e.key]
        if (does === undefined) return
        e.preventDefault()
        does()
      },
    }),
    h(
      "ul",
      { id: "commands", role: "listbox", "aria-label": "Commands" },
      found.map((command, i) => h(Row, { key: `${command.group} ${command.name}`, command, i, found, chosen, run })),
    ),
    found.length === 0
      ? h("p", { class: "about" }, "Nothing found. Try “load”, “matrix”, “endpoint 5” or a cycle number.")
      : null,
  )
}

function Row({
  command,
  i,
  found,
  chosen,
  run,
}: {
  command: Command
  i: number
  found: readonly Command[]
  chosen: number
  run: (command: Command) => void
}) {
  const { group, name, note = "" } = command
  return [
    found[i - 1]?.group === group ? null : h("li", { class: "group", role: "presentation", key: "group" }, group),
    h(
      "li",
      { key: "row", id: `command-${i}`, role: "option", "aria-selected": i === chosen, onClick: () => run(command) },
      name,
      h("span", null, note),
    ),
  ]
}
