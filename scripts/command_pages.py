#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""command_pages.py PROGRAM FOLDER: man pages and completion of bash, zsh and fish, from what PROGRAM says of itself.

FOLDER gets man/*.1, bash/fansim, zsh/_fansim and fish/fansim.fish."""
import json
import pathlib
import subprocess
import sys

# These placeholders are files, which shells complete themselves. Other placeholders without words are left to the user.
FILE_WORDS = ("F", "FILE", "DIR", "MODEL", "REPORT", "CONFIG", "NETWORK", "SPACE")
EXIT_STATUS = [("0", "done"), ("1", "results differ"), ("2", "the user's error: file, line and reason are on standard error"),
               ("3", "it does not fit"), ("4", "a protocol or a model was violated"), ("130", "interrupted")]


def read(program, *words):
    return json.loads(subprocess.run([program, *words, "--help-json"], check=True, capture_output=True, text=True).stdout)


class Command:
    """A subcommand, or one of a subcommand ("drive ddr")."""

    def __init__(self, page, meaning):
        self.name, self.meaning, self.usage = page["subcommand"], meaning, page["usage"]
        self.groups, self.examples = page["groups"], page["examples"]
        self.places = page["positionals"] + ([page["rest"]] if page["rest"] else [])
        self.endless = bool(page["rest"])

    def options(self):
        return [option for group in self.groups for option in group["options"]]


def read_commands(program, head):
    commands = []
    for entry in head["subcommands"]:
        command = Command(read(program, entry["name"]), entry["help"])
        commands.append(command)
        for word in command.places[0].split("|") if command.places else []:
            if word.islower() and entry["name"] == "drive":
                part = read(program, entry["name"], word)
                if part["subcommand"] != command.name:
                    commands.append(Command(part, f"{word} alone, of fansim {command.name}"))
    return commands


class Words:
    def __init__(self, known):
        self.known = known

    def of(self, placeholder):
        """Returns what may stand for it: words in lower case, and those that the program knows."""
        words = []
        for word in placeholder.split("|"):
            words += self.known.get(word, [word] if word.islower() and word.replace("_", "").isalnum() else [])
        return words if "=" not in placeholder else []

    @staticmethod
    def is_file(placeholder):
        return any(word in FILE_WORDS or "." in word and ".." not in word
                   for part in placeholder.split("|") for word in part.split())


# Man pages

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def entry(term, meaning):
    return f".TP\n{term}\n{roff(meaning)}\n"


def man_head(name, version, meaning):
    title = name.upper().replace("-", "\\-")
    return f'.TH {title} 1 "" "fansim {version}" "User Commands"\n.SH NAME\n{roff(name)} \\- {roff(meaning)}\n'


def man_status():
    return ".SH EXIT STATUS\n" + "".join(entry(f".B {code}", meaning) for code, meaning in EXIT_STATUS)


def man_page(command, version):
    name = "fansim-" + command.name.replace(" ", "-")
    text = man_head(name, version, command.meaning)
    text += f".SH SYNOPSIS\n.B {roff(command.usage)}\n"
    for group in command.groups:
        text += f'.SH {group["heading"].upper()}\n'
        for option in group["options"]:
            letter = f'\\fB\\-{option["letter"]}\\fR, ' if option["letter"] else ""
            value = f' \\fI{roff(option["placeholder"])}\\fR' if option["placeholder"] else ""
            text += entry(f'{letter}\\fB\\-\\-{roff(option["name"])}\\fR{value}', option["help"])
    text += ".SH EXAMPLES\n" if command.examples else ""
    for example in command.examples:
        text += entry(f'.B fansim {roff(example["arguments"])}', example["meaning"])
    return text + man_status() + ".SH SEE ALSO\n.BR fansim (1)\n"


def main_page(commands, version):
    text = man_head("fansim", version, "cycle-accurate, bit-exact simulator of FPGA neural-network accelerators")
    text += ".SH SYNOPSIS\n.B fansim\n.I SUBCOMMAND\n\\&... [\\fB\\-\\-help\\fR]\n.SH SUBCOMMANDS\n"
    for command in commands:
        text += entry(f".B {roff(command.name)}", command.meaning)
    names = ", ".join(f'.BR fansim\\-{roff(command.name.replace(" ", "-"))} (1)' for command in commands)
    return text + man_status() + ".SH SEE ALSO\n" + names.replace(", ", ",\n") + "\n"


# Completion: each shell's file is a table of the same rows and a function that reads it.

def place_key(command, index):
    return f'{command.name}:{"*" if command.endless and index == len(command.places) - 1 else index + 1}'


def bash(commands, words):
    options, values, found = [], [], []
    for command in commands:
        flags = [f'--{option["name"]}' for option in command.options()]
        options.append(f'  ["{command.name}"]="{" ".join(flags)} --help"\n')
        taking = [f'--{option["name"]}' for option in command.options() if option["placeholder"]]
        taking += [f'-{option["letter"]}' for option in command.options() if option["placeholder"] and option["letter"]]
        values.append(f'  ["{command.name}"]=" {" ".join(taking)} "\n')
        rows = [(f'{command.name}:--{option["name"]}', option["placeholder"]) for option in command.options()]
        rows += [(place_key(command, i), place) for i, place in enumerate(command.places)]
        for key, placeholder in rows:
            all_words = words.of(placeholder) + (["<file>"] if words.is_file(placeholder) else [])
            if all_words:
                found.append(f'  ["{key}"]="{" ".join(all_words)}"\n')
    names = " ".join(command.name for command in commands if " " not in command.name)
    return (BASH.replace("@NAMES@", names).replace("@OPTIONS@\n", "".join(options))
            .replace("@VALUES@\n", "".join(values)).replace("@WORDS@\n", "".join(found)))


BASH = """# bash completion for fansim(1)
declare -A _fansim_options=(
@OPTIONS@
)
declare -A _fansim_values=(
@VALUES@
)
declare -A _fansim_words=(
@WORDS@
)

# The words known for a row, files where it takes them.
_fansim_offer() {
  local words=${_fansim_words[$1]-}
  mapfile -t COMPREPLY < <(compgen -W "${words/<file>/}" -- "$2")
  if [[ $words == *"<file>"* ]]; then
    local files
    mapfile -t files < <(compgen -f -- "$2")
    COMPREPLY+=("${files[@]}")
    compopt -o filenames 2>/dev/null
  fi
}

_fansim() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} first=2
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "@NAMES@ --help --version" -- "$word")
    return
  fi
  if ((COMP_CWORD > 2)) && [[ -n ${_fansim_options["$command ${COMP_WORDS[2]}"]-} ]]; then
    command+=" ${COMP_WORDS[2]}" first=3
  fi
  # "--engine=fa" comes as three words.
  [[ $word == "=" ]] && word=""
  [[ $before == "=" ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
  if [[ ${_fansim_values[$command]-} == *" $before "* ]]; then
    _fansim_offer "$command:$before" "$word"
    return
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${_fansim_options[$command]-}" -- "$word")
    return
  fi
  local place=1 i
  for ((i = first; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -* ]]; then
      [[ ${_fansim_values[$command]-} == *" ${COMP_WORDS[i]} "* ]] && ((++i))
      [[ ${COMP_WORDS[i]} == "=" ]] && ((++i))
    else
      ((++place))
    fi
  done
  if [[ -n ${_fansim_words["$command:$place"]-} ]]; then
    _fansim_offer "$command:$place" "$word"
  else
    _fansim_offer "$command:*" "$word"
  fi
}
complete -F _fansim fansim
"""


def zsh_text(text):
    for letter in "\\[]:":
        text = text.replace(letter, "\\" + letter)
    return text.replace("'", "'\\''")


def zsh_action(placeholder, words):
    known, label = words.of(placeholder), zsh_text(placeholder)
    if words.is_file(placeholder):
        return f'{label}:{{_alternative "words:{label}:({" ".join(known)})" "files:file:_files"}}' if known else f"{label}:_files"
    return f'{label}:({" ".join(known)})' if known else f"{label}: "


def zsh(commands, words):
    cases = []
    for command in commands:
        rows = ["'(-h --help)'{-h,--help}'[show help]'"]
        for option in command.options():
            value = ":" + zsh_action(option["placeholder"], words) if option["placeholder"] else ""
            names = f'--{option["name"]}' + ("=" if value else "")
            star = "*" if option["repeats"] else ""
            rows.append(f"'{star}{names}[{zsh_text(option['help'])}]{value}'")
            if option["letter"]:
                rows.append(f"'-{option['letter']}[{zsh_text(option['help'])}]{value}'")
        for i, place in enumerate(command.places):
            at = "*" if command.endless and i == len(command.places) - 1 else str(i + 1)
            rows.append(f"'{at}:{zsh_action(place, words)}'")
        cases.append(f'    "{command.name}")\n      _arguments {" ".join(rows)}\n      ;;\n')
    lines = "".join(f"    '{command.name}:{zsh_text(command.meaning)}'\n" for command in commands if " " not in command.name)
    pairs = "|".join(f'"{command.name}"' for command in commands if " " in command.name)
    return ZSH.replace("@NAMES@\n", lines).replace("@PAIRS@", pairs).replace("@CASES@\n", "".join(cases))


ZSH = """#compdef fansim
_fansim() {
  local -a names
  names=(
@NAMES@
  )
  if (( CURRENT == 2 )); then
    _describe subcommand names
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  if (( CURRENT > 2 )); then
    case "$command $words[2]" in
    @PAIRS@)
      command="$command $words[2]"
      shift words
      (( CURRENT-- ))
      ;;
    esac
  fi
  case $command in
@CASES@
  esac
}
_fansim "$@"
"""


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands, words):
    text = FISH
    taking = sorted({f'--{option["name"]}' for command in commands for option in command.options() if option["placeholder"]} |
                    {f'-{option["letter"]}' for command in commands for option in command.options()
                     if option["placeholder"] and option["letter"]})
    text = text.replace("@TAKING@", " ".join(taking))
    text = text.replace("@PAIRS@", " ".join(fish_text(command.name) for command in commands if " " in command.name))
    for command in commands:
        if " " not in command.name:
            text += f"complete -c fansim -n '__fansim_at \"\" 1' -a {command.name} -d {fish_text(command.meaning)}\n"
    for command in commands:
        here = f"complete -c fansim -n '__fansim_in \"{command.name}\"'"
        for option in command.options():
            line = f'{here} -l {option["name"]} -d {fish_text(option["help"])}'
            line += f' -s {option["letter"]}' if option["letter"] else ""
            if option["placeholder"]:
                line += " -r -F" if words.is_file(option["placeholder"]) else " -x"
                known = words.of(option["placeholder"])
                line += f' -a {fish_text(" ".join(known))}' if known else ""
            text += line + "\n"
        for i, place in enumerate(command.places):
            last = "+" if command.endless and i == len(command.places) - 1 else ""
            known = words.of(place)
            line = f"complete -c fansim -n '__fansim_at \"{command.name}\" {i + 1}{last}'"
            line += f' -a {fish_text(" ".join(known))}' if known else ""
            text += line + (" -F" if words.is_file(place) else "") + "\n"
    return text


FISH = """# fish completion for fansim(1)
# The subcommand, then how many arguments of its own are before the cursor's.
function __fansim_words
    set -l taking @TAKING@
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l words
    set -l skip 0
    for token in $tokens
        if test $skip = 1
            set skip 0
        else if string match -q -- '-*' $token
            contains -- $token $taking; and set skip 1
        else
            set -a words $token
        end
    end
    set -l command $words[1]
    set -e words[1]
    if test (count $words) -gt 0; and contains -- "$command $words[1]" @PAIRS@
        set command "$command $words[1]"
        set -e words[1]
    end
    echo $command
    count $words
end
function __fansim_in
    set -l at (__fansim_words)
    test "$at[1]" = "$argv[1]"
end
# Whether the cursor is at the given argument, counted from 1; "2+" is that and all behind it.
function __fansim_at
    set -l at (__fansim_words)
    test "$at[1]" = "$argv[1]"; or return 1
    if string match -q '*+' -- $argv[2]
        test (math $at[2] + 1) -ge (string trim -c + -- $argv[2])
    else
        test (math $at[2] + 1) = $argv[2]
    end
end
complete -c fansim -f
complete -c fansim -s h -l help -d 'show help'
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main(program, folder):
    head = read(program)
    commands, words = read_commands(program, head), Words(head["words"])
    folder = pathlib.Path(folder)
    write(folder / "man/fansim.1", main_page(commands, head["version"]))
    for command in commands:
        write(folder / f'man/fansim-{command.name.replace(" ", "-")}.1', man_page(command, head["version"]))
    write(folder / "bash/fansim", bash(commands, words))
    write(folder / "zsh/_fansim", zsh(commands, words))
    write(folder / "fish/fansim.fish", fish(commands, words))


if __name__ == "__main__":
    main(*sys.argv[1:])
