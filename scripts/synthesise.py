#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises the RTL twins of tests/rtl with Yosys for UltraScale+ and counts the cells.

synthesise.py                    tests/rtl/grid.csv -> tests/rtl/resources.csv; points whose sources are the same stay
synthesise.py --stale            names the rows whose sources have changed since; 1 if there are any
synthesise.py --check POINT ...  synthesise these rows of resources.csv again and compare; POINT is TWIN:KEY=VALUE:...
synthesise.py --point POINT ...  the cells of any twin
synthesise.py --count STAT.json  the counts of an existing Yosys `stat -json` file
"""

import argparse
import csv
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "tests" / "rtl"
GRID = RTL / "grid.csv"
RESULTS = RTL / "resources.csv"
KINDS = ["lut", "ff", "srl", "bram36", "dsp"]
HEADER = "# Cells after Yosys synth_xilinx -family xcup, written by: python3 scripts/synthesise.py"

# Each entry is a kind and the amount of it that one cell takes. A distributed RAM occupies the LUTs of its slice
# (UG574, SLICEM).
CELLS = {
    **{f"LUT{n}": ("lut", 1) for n in range(1, 7)},
    "INV": ("lut", 1),
    "LUT6_2": ("lut", 1),
    **{name: ("lut", luts) for name, luts in {
        "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8, "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8,
        "RAM64M8": 8, "RAM64X8SW": 8, "RAM32X16DR8": 8, "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4,
        "RAM512X1S": 8}.items()},
    **{name: ("ff", 1) for name in ("FDRE", "FDSE", "FDCE", "FDPE")},
    "SRL16E": ("srl", 1),
    "SRLC32E": ("srl", 1),
    "CFGLUT5": ("srl", 1),
    "RAMB18E2": ("bram36", 0.5),
    "RAMB36E2": ("bram36", 1),
    "DSP48E2": ("dsp", 1),
}
# Lines that tests/rtl/memory_ports.vh turns into nothing in synthesis. They are removed beforehand, because Yosys
# optimises in an order that depends on line numbers.
UNSEEN = re.compile(r'^(?:`include "memory_ports\.vh"| *`(?:SINGLE_PORT|SIMPLE_DUAL_PORT)\(.*\))\n', re.MULTILINE)
# These parts of a slice are in no device table.
FREE = {"MUXF7", "MUXF8", "MUXF9", "CARRY4", "CARRY8"}


class SynthesisError(Exception):
    pass


def count(stat, top=None):
    """Returns the resources of a flat design from the text of `stat -json`."""
    try:
        modules = json.loads(stat)["modules"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise SynthesisError(f"not a Yosys `stat -json` report: {error}") from error
    if len(modules) != 1:
        raise SynthesisError(f"expected one flat module, found {len(modules)}")
    (name, module), = modules.items()
    if top and name.lstrip("\\") != top:
        raise SynthesisError(f"expected module {top}, found {name}")
    total = dict.fromkeys(KINDS, 0)
    for cell, number in module["num_cells_by_type"].items():
        if cell in FREE:
            continue
        if cell not in CELLS:
            raise SynthesisError(f"cell {cell} is of no known kind")
        kind, weight = CELLS[cell]
        total[kind] += weight * number
    return total


def parse_parameters(text):
    return dict(item.split("=") for item in text.split())


def code_of(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def sources(twin):
    """Returns file name -> text, as it is synthesised, of a twin and of every module and header that it names."""
    found, open_ends = {}, [f"{twin}.v"]
    while open_ends:
        name = open_ends.pop()
        if name in found or not (RTL / name).exists():
            continue
        found[name] = UNSEEN.sub("", (RTL / name).read_text())
        code = code_of(found[name])
        open_ends += re.findall(r"\w+\.vh", code) + [f"{word}.v" for word in re.findall(r"\w+", code)]
    return found


def digest(twin):
    """Changes with the code of a twin's sources that is synthesised, not with their comments and layout."""
    text = "".join(name + code_of(text) for name, text in sorted(sources(twin).items()))
    return hashlib.sha256("".join(text.split()).encode()).hexdigest()[:12]


def synthesise(twin, parameters):
    """Returns the resources of a twin with its fault input tied to none."""
    files = sources(twin)
    text = files.get(f"{twin}.v", "")
    if not re.search(rf"^module {twin}\b", text, re.M):
        raise SynthesisError(f"{twin}.v has no module {twin}")
    no_fault = f"cd {twin}; delete -input w:fault; connect -nounset -set fault 0; cd .." if "fault," in text else ""
    verilog = [f"tests/rtl/{name}" for name in sorted(files) if name.endswith(".v")]
    with tempfile.TemporaryDirectory() as folder:
        copies = pathlib.Path(folder) / "tests" / "rtl"
        copies.mkdir(parents=True)
        for name, text in files.items():
            (copies / name).write_text(text)
        for table in RTL.glob("*.hex"):
            shutil.copy(table, copies)
        return run_yosys(verilog, twin, parameters, no_fault, folder)


def run_yosys(verilog, top, parameters, prepare="", root=ROOT):
    """Returns the resources of a module of these files below `root`, by the flow that all figures here come from."""
    chparam = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        stat = pathlib.Path(folder) / "stat.json"
        script = f"""read_verilog -sv -Itests/rtl {" ".join(map(str, verilog))}
hierarchy -top {top} {chparam}
rename -top {top}
proc
{prepare}
synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top}
tee -q -o {stat} stat -json
"""
        path = pathlib.Path(folder) / "synthesise.ys"
        path.write_text(script)
        run = subprocess.run(["yosys", "-q", "-s", str(path)], cwd=root, capture_output=True, text=True)
        if run.returncode != 0:
            raise SynthesisError(f"{top} {parameters}: yosys: {run.stderr.strip()}")
        return count(stat.read_text(), top)


def key(row):
    return row["twin"], row["parameters"]


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write_results(rows):
    temporary = RESULTS.with_suffix(".tmp")
    with open(temporary, "w", newline="") as file:
        file.write(HEADER + "\n")
        writer = csv.DictWriter(file, ["twin", "parameters", "set"] + KINDS + ["sources"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    temporary.replace(RESULTS)


def figures(row):
    return {kind: float(row[kind]) for kind in KINDS}


def run_grid():
    known = {key(row): row for row in read_rows(RESULTS)} if RESULTS.exists() else {}
    grid = read_rows(GRID)
    for number, point in enumerate(grid, 1):
        row = known.get(key(point))
        if row is None or row["sources"] != digest(point["twin"]):
            row = synthesise(point["twin"], parse_parameters(point["parameters"]))
            row["sources"] = digest(point["twin"])
            print(f"{number}/{len(grid)}", point["twin"], point["parameters"], row, flush=True)
        known[key(point)] = {**row, **point}
        write_results([known[key(other)] for other in grid if key(other) in known])


def stale():
    rows = read_rows(RESULTS)
    found = [row for row in rows if row["sources"] != digest(row["twin"])]
    missing = set(map(key, read_rows(GRID))) ^ set(map(key, rows))
    for row in found:
        print(f"{row['twin']} {row['parameters']}: its sources have changed since it was synthesised")
    for twin, parameters in sorted(missing):
        print(f"{twin} {parameters}: in only one of {GRID.name} and {RESULTS.name}")
    return 1 if found or missing else 0


def check(points):
    committed = {key(row): row for row in read_rows(RESULTS)}
    differences = 0
    for point in points:
        twin, *parameters = point.split(":")
        row = committed.get((twin, " ".join(parameters)))
        if row is None:
            raise SynthesisError(f"{RESULTS.name} has no row {point}")
        found = synthesise(twin, parse_parameters(row["parameters"]))
        same = figures(found) == figures(row)
        differences += not same
        print(f"{point}: {'as committed' if same else f'committed {figures(row)}, synthesised {figures(found)}'}")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--check", nargs="+")
    parser.add_argument("--point", nargs="+")
    parser.add_argument("--count")
    arguments = parser.parse_args()
    try:
        if arguments.count:
            print(json.dumps(count(pathlib.Path(arguments.count).read_text())))
        elif arguments.stale:
            return stale()
        elif arguments.check:
            return 1 if check(arguments.check) else 0
        elif arguments.point:
            for point in arguments.point:
                twin, *parameters = point.split(":")
                print(f"{point}: {synthesise(twin, parse_parameters(' '.join(parameters)))}", flush=True)
        else:
            run_grid()
    except (SynthesisError, OSError) as error:
        print(f"synthesise.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
