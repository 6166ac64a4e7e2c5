#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a run without values (--timing-only) with one that has them: exit code, and of every layer all that both report.

    timed_runs.py [--built build/release]           every network on every system and board that docs/timed_runs.csv lacks,
                                                    which it completes; without that file, all of them
    timed_runs.py [--built build/release] --small   networks that take a moment, on every system and board, verified; writes nothing

Prints each pair that differs. 1 if there is one."""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/timed_runs.csv"
SMALL = ["tiny_*", "hand_*", "lenet5", "digits", "ds_cnn", "lstm2"]
NOT_TIMED = {"output_hash", "accumulator_overflows", "saturation"}  # what only values have


def run(program, config, network, *options):
    """Returns the exit code and the report's layers."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        done = subprocess.run([program, "run", config, network, *options, "--json", out], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        layers = json.loads(out.read_text()).get("layers", []) if out.exists() else []
    return done.returncode, [{key: value for key, value in layer.items() if key not in NOT_TIMED} for layer in layers]


def verdict(program, config, network, options):
    valued, timed = run(program, config, network, *options), run(program, config, network, "--timing-only")
    if valued != timed:
        return "differ"
    return "same" if valued[1] else "refused" if valued[0] == 2 else "does not fit" if valued[0] == 3 else "failed"


def pairs(small):
    """Returns (configuration, network): pipelines for the machine of pipelines, a board's own networks for it alone."""
    configs = sorted(ROOT.glob("configs/systems/*.yaml")) + sorted(ROOT.glob("configs/boards/*.yaml"))
    networks = sorted({path for pattern in (SMALL if small else ["*"]) for path in ROOT.glob(f"models/{pattern}.yaml")})
    for config in configs:
        text = config.read_text()
        if "\nsystem: " not in text:
            continue  # a board's memory alone
        mine = sorted(ROOT.glob("models/pipelines/*.yaml")) if "\nsystem: vision" in text else networks
        if config.stem.startswith("vta_"):
            width = config.stem.rsplit("_", 1)[-1]
            mine = mine + sorted(ROOT.glob(f"models/boards/vta/*{width}_*.yaml"))[:5 if small else None]
        for network in mine:
            yield config, network


def known():
    if not TABLE.exists():
        return {}
    with TABLE.open(newline="") as file:
        return {(row["configuration"], row["network"]): row["verdict"] for row in csv.DictReader(file)}


def write(names, found):
    with TABLE.open("w", newline="") as file:
        rows = [[*name, found[name]] for name in names if name in found]
        csv.writer(file, lineterminator="\n").writerows([["configuration", "network", "verdict"], *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    arguments = parser.parse_args()
    program = arguments.built.resolve() / "fansim"
    all_pairs = {(config.stem, network.stem): (config, network) for config, network in pairs(arguments.small)}
    found = {} if arguments.small else known()
    options = ["--verify"] if arguments.small else []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(verdict, program, *pair, options): name
                   for name, pair in all_pairs.items() if name not in found}
        for done in concurrent.futures.as_completed(running):
            found[running[done]] = done.result()
            if not arguments.small:
                write(all_pairs, found)
    wrong = [name for name in all_pairs if found[name] in ("differ", "failed")]
    for name in wrong:
        print(*name, found[name])
    print(f"{sum(one == 'same' for one in found.values())} of {len(found)} runs have the same figures with and without "
          f"values, {len(wrong)} differ, the others do not fit or are refused in both")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
