#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/cli/reproduce_golden.json from `fansim reproduce PAPER --json`: every figure, its status and its claim.

Read the difference before you commit it: a figure that moves needs a reason in the commit's message.
    scripts/golden.py [--built build/release] [PAPER...]      no paper: all of the file
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/cli/reproduce_golden.json"


def figures(program, paper):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, "reproduce", paper, "--json", out.name], stdout=subprocess.DEVNULL, check=False)
        rows = json.load(open(out.name))["rows"]
    return {row["quantity"]: {key: row[key] for key in ("simulated", "status", "claim")} for row in rows}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("papers", nargs="*")
    options = options.parse_args()
    golden = json.loads(GOLDEN.read_text())
    for paper in options.papers or list(golden):
        golden[paper] = figures(options.built / "fansim", paper)
    GOLDEN.write_text(json.dumps(golden, indent=2) + "\n")


if __name__ == "__main__":
    main()
