# SPDX-License-Identifier: Apache-2.0
"""command_pages_test.py PREFIX: the manual and the shells' completion as they lie in PREFIX, a package's /usr."""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(sys.argv.pop())
PROGRAM = str(PREFIX / "bin/fansim")


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def help_json(*words):
    return json.loads(output(PROGRAM, *words, "--help-json"))


def subcommands():
    return [entry["name"] for entry in help_json()["subcommands"]]


def option_names(subcommand):
    return [option["name"] for group in help_json(subcommand)["groups"] for option in group["options"]]


class Manual(unittest.TestCase):
    def test_groff_has_nothing_to_say_of_any_page(self):
        for page in (PREFIX / "share/man/man1").glob("*.gz"):
            done = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=gzip.decompress(page.read_bytes()),
                                  capture_output=True, check=True)
            self.assertEqual(done.stderr.decode(), "", page)

    def test_every_subcommand_has_a_page_with_every_option(self):
        for name in subcommands():
            page = gzip.decompress((PREFIX / f"share/man/man1/fansim-{name}.1.gz").read_bytes())
            text = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-rLL=1000n"], input=page, capture_output=True,
                                  check=True).stdout.decode()
            for option in option_names(name):
                self.assertIn(f"--{option}", text)
            self.assertIn("EXIT STATUS", text)


# What each shell offers for a command line, its last word the one being completed.
def bash(line):
    words = line.split(" ")
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fansim; printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "--norc", "-c", script, "bash", str(PREFIX / "share/bash-completion/completions/fansim"),
                           *words], capture_output=True, text=True, cwd=FOLDER.name, check=True)
    return set(done.stdout.split())


def fish(line):
    script = f'source {PREFIX}/share/fish/vendor_completions.d/fansim.fish; complete -C "{line}"'
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, cwd=FOLDER.name, check=True,
                          env={**os.environ, "HOME": FOLDER.name})
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; fpath=('$1' $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=10000; unsetopt ZLE_RM_PROMPT'
zpty -w shell 'zmodload zsh/complist; zstyle ":completion:*" list-grouped no; bindkey "^I" complete-word; setopt NO_LIST_BEEP'
zpty -w shell 'stty columns 300; null() { compstate[list]=; print -r -- "<""${(j: :)offered}"">"; }'
zpty -w shell 'compadd() { if [[ ${@[(I)-[OAD]]} -eq 0 ]]; then builtin compadd -O offered_now "$@"; offered+=($offered_now); fi; builtin compadd "$@"; }'
zpty -w shell 'comppostfuncs=(null); print READY'
local part
while zpty -r shell part; do [[ $part == READY* ]] && break; done
zpty -n -w shell $2$'\\t'
while zpty -r shell part; do [[ $part == *'<'*'>'* ]] && { print -r -- ${${part##*<}%%>*}; break; }; done
zpty -d shell
"""


def zsh(line):
    done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", str(PREFIX / "share/zsh/vendor-completions"), line],
                          capture_output=True, text=True, cwd=FOLDER.name, timeout=60)
    return {word.rstrip("=") for word in done.stdout.split()}


FOLDER = tempfile.TemporaryDirectory()
pathlib.Path(FOLDER.name, "zcu102_mine.yaml").touch()


class Completion(unittest.TestCase):
    shells = (bash, zsh, fish)

    def test_subcommands(self):
        for shell in self.shells:
            with self.subTest(shell.__name__):
                self.assertLessEqual(set(subcommands()), shell("fansim "))
                self.assertEqual({"run", "reproduce"}, {word for word in shell("fansim r") if word.startswith("r")})

    def test_options(self):
        for shell in self.shells:
            with self.subTest(shell.__name__):
                offered = shell("fansim run --")
                self.assertLessEqual({f"--{name}" for name in option_names("run")}, offered)
                self.assertNotIn("--vary", offered)
                self.assertIn("--vary", shell("fansim sweep --"))

    def test_the_words_of_an_option(self):
        for shell in self.shells:
            with self.subTest(shell.__name__):
                self.assertEqual({"fast", "clocked"}, shell("fansim run --engine "))

    def test_configurations_and_networks_at_their_places_beside_files(self):
        for shell in self.shells:
            with self.subTest(shell.__name__):
                offered = shell("fansim run zcu102_")
                self.assertLessEqual({"zcu102_stream", "zcu102_stream_64", "zcu102_mine.yaml"}, offered)
                self.assertNotIn("alexnet", shell("fansim run "))
                self.assertIn("alexnet", shell("fansim run --engine fast zcu102_stream "))
                self.assertIn("tiny_stream", shell("fansim explore "))

    def test_a_subcommand_of_a_subcommand(self):
        for shell in self.shells:
            with self.subTest(shell.__name__):
                self.assertLessEqual({"DSP48E2", "ddr", "ports"}, shell("fansim drive "))
                self.assertIn("--config", shell("fansim drive ports --"))
                self.assertNotIn("--config", shell("fansim drive ddr --"))


if __name__ == "__main__":
    unittest.main()
