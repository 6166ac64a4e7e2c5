#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl_speed.py BUILD: the clocked engine's cycles per second beside the Verilated core's, on one layer, both computing
every value. The core runs beside the machine that feeds it; only the time inside its model counts."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYER = ("configs/systems/zcu102_stream.yaml", "models/alexnet.yaml", "conv2")
PROMISED = 8


def measured(program, what):
    command = [program, ROOT / LAYER[0], ROOT / LAYER[1], LAYER[2], "--time", what]
    run = subprocess.run(command, cwd=ROOT / "tests" / "rtl", capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    return found["cycles"], found["cycles"] / found["seconds"]


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "tests" / "rtl" / "stream_core_cosim"
    cycles, machine = measured(program, "machine")
    same, core = measured(program, "core")
    assert cycles == same, (cycles, same)
    ratio = machine / core
    text = f"{ratio:.1f}" if ratio >= PROMISED else f"**{ratio:.1f}**"
    print(f"""| engine | cycles | cycles per second |
|---|---:|---:|
| clocked, whole system | {cycles:,} | {machine:,.0f} |
| Verilated core alone | {cycles:,} | {core:,.0f} |

Ratio {text}; promised: at least {PROMISED}. Layer {LAYER[2]} of {LAYER[1]} on {LAYER[0]}.""")
    return 0 if ratio >= PROMISED else 1


if __name__ == "__main__":
    sys.exit(main())
