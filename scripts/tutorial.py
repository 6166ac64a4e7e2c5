#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/tutorial.md from docs/tutorial.in.md: runs every command ("$ ..." in a fenced block) in a folder of its own
and puts below it what it printed. --check: compares instead. --built BUILD: where the program is (build/release)."""

import argparse
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(lines):
    """Returns the lines of a block as commands, a here-document with the command that it belongs to."""
    inside = False
    for line in lines:
        if inside:
            yield None, line
            inside = line != "EOF"
        else:
            yield line[2:], line
            inside = line.endswith("<<EOF")


def output(script, folder, environment):
    run = subprocess.run(["bash", "-o", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True,
                         text=True, check=False)
    if run.returncode not in (0, 141):  # head closes its pipe
        sys.exit(f"tutorial: '{script}' ends with {run.returncode}:\n{run.stdout}{run.stderr}")
    return [line.rstrip() for line in (run.stdout + run.stderr).splitlines()]


def page(built):
    folder = tempfile.mkdtemp(prefix="fansim_tutorial_")
    environment = {**os.environ, "PATH": f"{built}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    result, block = [], None
    for line in (ROOT / "docs/tutorial.in.md").read_text().splitlines():
        if line != "```":
            (result if block is None else block).append(line)
            continue
        if block is None:
            block = []
            result.append(line)
            continue
        script = None
        for start, text in [*commands(block), ("", "")]:
            if start is not None and script is not None:
                result += output(script.replace("CONFIGS", str(ROOT / "configs")), folder, environment)
            script = (script + "\n" + text) if start is None else start
            if text:
                result.append(text)
        block = None
        result.append(line)
    return "\n".join(result) + "\n"


parser = argparse.ArgumentParser()
parser.add_argument("--check", action="store_true")
parser.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
arguments = parser.parse_args()
written, target = page(arguments.built.resolve()), ROOT / "docs/tutorial.md"
if not arguments.check:
    target.write_text(written)
elif written != target.read_text():
    sys.exit("".join(difflib.unified_diff(target.read_text().splitlines(True), written.splitlines(True), "docs/tutorial.md",
                                          "as it runs now")))
