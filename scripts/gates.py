#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesises the twins of the floating-point operators (tests/rtl/float_*.v) with Yosys and abc to the gates of a
generic cell library, and counts cells, levels and what switches in an operation (docs/float.md).

gates.py                    every operator and format -> tests/rtl/gates.csv; rows whose sources are the same stay
gates.py --stale            names the rows whose sources have changed since; 1 if there are any
gates.py --check POINT ...  synthesise these rows of gates.csv again and compare; POINT is TWIN:KEY=VALUE:...
gates.py --fast POINT ...   prints what abc -fast, which saves no area and keeps trees of carries, makes of them
"""

import argparse
import collections
import csv
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import synthesise
from synthesise import ROOT, RTL, SynthesisError, key, parse_parameters, read_rows

RESULTS = RTL / "gates.csv"
HEADER = "# Gates after Yosys synth and abc -g cmos, written by: python3 scripts/gates.py"
FORMATS = [(8, 7), (6, 9), (8, 11), (8, 15), (8, 19), (8, 23)]
OPERATORS = [("float_adder", ""), ("float_multiplier", ""), ("float_array_divider", "RPS=4 "),
             ("float_reciprocal_divider", "T=6 STEPS=1 "), ("float_reciprocal_divider", "T=6 STEPS=2 ")]
FIGURES = ["gates", "levels", "stage_levels", "toggles", "through_toggles"]

# The areas of cells in two-input NANDs have a single table, which is in src/estimate/float_cells.h.
TABLE = re.search(r"begin of areas(.*)end of areas", (ROOT / "src/estimate/float_cells.h").read_text(), re.S)[1]
AREAS = {name.lower(): float(area) for name, area in re.findall(r"\bk(\w+) = ([\d.]+)", TABLE)}

# This replaces the handshake and its register by a stage that always moves on, so that no enable is counted.
STAGES = """module float_stages #(parameter STAGES = 3, parameter WIDTH = 32) (
  input clk, input rst, input [3:0] fault, input operands_valid, output operands_ready, output advance,
  input [WIDTH-1:0] last, output results_valid, input results_ready, output results_full, output [WIDTH-1:0] results_data);
  assign advance = 1'b1, operands_ready = 1'b1, results_valid = 1'b1, results_full = 1'b0, results_data = last;
endmodule
"""
SCRIPT = """read_verilog -sv {stages} {verilog}
hierarchy -top {twin} {chparam}
rename -top {twin}
proc
cd {twin}; delete -input w:fault; connect -nounset -set fault 0; cd ..
synth -flatten -noabc -top {twin}
dfflegalize -cell $_DFF_P_ x
opt_clean
abc -g cmos
opt_clean -purge
write_json {netlist}
"""

# These functions compute a cell's output, with a bit for each pair of operations; all bits of `m` are set.
LOGIC = {
    "not": lambda m, a: a ^ m,
    "nand": lambda m, a, b: (a & b) ^ m,
    "nor": lambda m, a, b: (a | b) ^ m,
    "xor": lambda m, a, b: a ^ b,
    "xnor": lambda m, a, b: a ^ b ^ m,
    "mux": lambda m, a, b, s: (a & (s ^ m)) | (b & s),
    "nmux": lambda m, a, b, s: ((a & (s ^ m)) | (b & s)) ^ m,
    "aoi3": lambda m, a, b, c: ((a & b) | c) ^ m,
    "oai3": lambda m, a, b, c: ((a | b) & c) ^ m,
    "aoi4": lambda m, a, b, c, d: ((a & b) | (c & d)) ^ m,
    "oai4": lambda m, a, b, c, d: ((a | b) & (c | d)) ^ m,
}
KINDS = list(LOGIC) + ["flipflop"]
COLUMNS = ["twin", "parameters"] + KINDS + FIGURES + ["sources"]
PAIRS = 1000  # of successive operations
SEED = 1


class Netlist:
    """Holds the gates of a flat module. A register passes its input on, as it does in a stream of operations."""

    def __init__(self, text, twin):
        modules = json.loads(text)["modules"]
        if list(modules) != [twin]:
            raise SynthesisError(f"expected module {twin} alone, found {list(modules)}")
        self.ports = {name: port["bits"] for name, port in modules[twin]["ports"].items() if port["direction"] == "input"}
        self.kinds = collections.Counter()
        self.gates, self.registers = {}, {}  # output -> kind and inputs; output -> input
        for cell in modules[twin]["cells"].values():
            kind = cell["type"].strip("$_").lower()
            pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
            if kind == "dff_p":
                self.kinds["flipflop"] += 1
                self.registers[pins["Q"]] = pins["D"]
            elif kind in LOGIC:
                self.kinds[kind] += 1
                self.gates[pins["Y"]] = (kind, [pins[pin] for pin in "ABCDS" if pin in pins])
            else:
                raise SynthesisError(f"{twin}: cell {cell['type']} is of no known kind")
        self.order = self.sorted()

    def sorted(self):
        """Returns outputs of gates and registers, each after what it reads."""
        order, state = [], {}
        for root in list(self.gates) + list(self.registers):
            stack = [(root, False)]
            while stack:
                net, done = stack.pop()
                if done:
                    state[net] = 2
                    order.append(net)
                elif net not in state:
                    state[net] = 1
                    stack.append((net, True))
                    for other in self.reads(net):
                        if state.get(other) == 1:
                            raise SynthesisError("the operator's registers feed back")
                        if other not in state and (other in self.gates or other in self.registers):
                            stack.append((other, False))
        return order

    def reads(self, net):
        return self.gates[net][1] if net in self.gates else [self.registers[net]]

    def levels(self, across_registers):
        """Returns the number of gates on the longest path."""
        level = {}
        for net in self.order:
            before = max(level.get(other, 0) for other in self.reads(net))
            level[net] = before + 1 if net in self.gates else before if across_registers else 0
        arrivals = list(level.values()) + [level.get(net, 0) for net in self.registers.values()]
        return max(arrivals)

    def settled(self, values, mask):
        values = dict(values)
        for net in self.order:
            if net in self.gates:
                kind, inputs = self.gates[net]
                values[net] = LOGIC[kind](mask, *(values[other] for other in inputs))
            else:
                values[net] = values[self.registers[net]]
        return values

    def toggles(self, before, after, mask, through):
        """The area that switches from one operation to the next, on average; every gate takes one unit of time, so that
        signals that arrive at different times count each time they change. `through`: registers do not hold them."""
        readers = collections.defaultdict(list)
        for net, (_, inputs) in self.gates.items():
            for other in set(inputs):
                readers[other].append(net)
        if through:
            follows = collections.defaultdict(list)
            for net, other in self.registers.items():
                follows[other].append(net)
        values, area, total = self.settled(before, mask), 0.0, mask.bit_count()
        last = self.settled(after, mask)
        changed = [net for bits in self.ports.values() for net in bits if net in values and values[net] != last[net]]
        if not through:
            changed += [net for net in self.registers if values[net] != last[net]]
        fresh = {net: last[net] for net in changed}
        if not through:
            area += AREAS["flipflop"] * sum((values[net] ^ last[net]).bit_count() for net in self.registers)
        while fresh:
            todo = set()
            pending = list(fresh.items())
            for net, value in pending:
                if net in self.gates:
                    area += AREAS[self.gates[net][0]] * (values[net] ^ value).bit_count()
                values[net] = value
                todo.update(readers[net])
                if through:
                    pending.extend((other, value) for other in follows[net])
            fresh = {}
            for net in todo:
                kind, inputs = self.gates[net]
                value = LOGIC[kind](mask, *(values[other] for other in inputs))
                if value != values[net]:
                    fresh[net] = value
        if any(values[net] != last[net] for net in self.order):
            raise SynthesisError("the gates do not settle")
        return area / total


def operations(ports, e, m, count):
    """Operands with random signs and mantissas and exponents within eight of each other: a bit of every port for each
    operation."""
    rng = random.Random(SEED)
    words = {name: [] for name in ports}
    for _ in range(count):
        for name, bits in ports.items():
            word = rng.getrandbits(len(bits))
            if name in ("operands_a", "operands_b"):
                exponent = (1 << (e - 1)) - 5 + rng.getrandbits(3)
                word = rng.getrandbits(1) << (e + m) | exponent << m | rng.getrandbits(m)
            words[name].append(word)
    return words


def lanes(ports, words, first, count):
    """Returns net -> the bits of `count` operations from `first` on."""
    values = {"0": 0, "1": (1 << count) - 1, "x": 0}
    for name, bits in ports.items():
        for place, net in enumerate(bits):
            values[net] = sum((words[name][first + lane] >> place & 1) << lane for lane in range(count))
    return values


def synthesised(twin, parameters, fast=False):
    """Returns the row of a twin without its handshake: cells by kind, their area, levels, what switches."""
    files = synthesise.sources(twin)
    verilog = " ".join(f"tests/rtl/{name}" for name in sorted(files)
                       if name.endswith(".v") and name not in ("float_stages.v", "stream_register.v"))
    chparam = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "stages.v").write_text(STAGES)
        recipe = SCRIPT.replace("abc -g", "abc -fast -g") if fast else SCRIPT
        script = recipe.format(stages=folder / "stages.v", verilog=verilog, twin=twin, chparam=chparam,
                               netlist=folder / "netlist.json")
        (folder / "gates.ys").write_text(script)
        run = subprocess.run(["yosys", "-q", "-s", str(folder / "gates.ys")], cwd=ROOT, capture_output=True, text=True)
        if run.returncode != 0:
            raise SynthesisError(f"{twin} {parameters}: yosys: {run.stderr.strip()}")
        netlist = Netlist((folder / "netlist.json").read_text(), twin)
    mask = (1 << PAIRS) - 1
    words = operations(netlist.ports, int(parameters["E"]), int(parameters["M"]), PAIRS + 1)
    before, after = (lanes(netlist.ports, words, first, PAIRS) for first in (0, 1))
    area = sum(AREAS[kind] * number for kind, number in netlist.kinds.items() if kind != "flipflop")
    return {**{kind: netlist.kinds[kind] for kind in KINDS}, "gates": f"{area:.2f}",
            "levels": netlist.levels(True), "stage_levels": netlist.levels(False),
            "toggles": f"{netlist.toggles(before, after, mask, False):.1f}",
            "through_toggles": f"{netlist.toggles(before, after, mask, True):.1f}"}


def digest(twin):
    """Changes with the twin's code, the way it is synthesised and the areas."""
    recipe = (synthesise.digest(twin), STAGES, SCRIPT, sorted(AREAS.items()), PAIRS, SEED)
    return hashlib.sha256(repr(recipe).encode()).hexdigest()[:12]


def grid():
    return [{"twin": twin, "parameters": f"{more}E={e} M={m}"} for twin, more in OPERATORS for e, m in FORMATS]


def write_results(rows):
    temporary = RESULTS.with_suffix(".tmp")
    with open(temporary, "w", newline="") as file:
        file.write(HEADER + "\n")
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    temporary.replace(RESULTS)


def run_grid():
    known = {key(row): row for row in read_rows(RESULTS)} if RESULTS.exists() else {}
    points = grid()
    for number, point in enumerate(points, 1):
        row = known.get(key(point))
        if row is None or row["sources"] != digest(point["twin"]):
            row = {**point, **synthesised(point["twin"], parse_parameters(point["parameters"])),
                   "sources": digest(point["twin"])}
            print(f"{number}/{len(points)}", row, flush=True)
        known[key(point)] = row
        write_results([known[key(other)] for other in points if key(other) in known])


def stale():
    rows = read_rows(RESULTS)
    found = [row for row in rows if row["sources"] != digest(row["twin"])]
    missing = set(map(key, grid())) ^ set(map(key, rows))
    for row in found:
        print(f"{row['twin']} {row['parameters']}: its sources have changed since it was synthesised")
    for twin, parameters in sorted(missing):
        print(f"{twin} {parameters}: in only one of the grid and {RESULTS.name}")
    return 1 if found or missing else 0


def committed_rows(points):
    committed = {key(row): row for row in read_rows(RESULTS)}
    for point in points:
        twin, *parameters = point.split(":")
        row = committed.get((twin, " ".join(parameters)))
        if row is None:
            raise SynthesisError(f"{RESULTS.name} has no row {point}")
        yield point, twin, row


def print_fast(points):
    for point, twin, row in committed_rows(points):
        found = synthesised(twin, parse_parameters(row["parameters"]), fast=True)
        print(point, " ".join(f"{name} {found[name]}" for name in ["flipflop"] + FIGURES), flush=True)


def check(points):
    differences = 0
    for point, twin, row in committed_rows(points):
        found = synthesised(twin, parse_parameters(row["parameters"]))
        changed = {name: (row[name], str(found[name])) for name in KINDS + FIGURES if str(found[name]) != row[name]}
        differences += bool(changed)
        print(f"{point}: {f'committed and synthesised: {changed}' if changed else 'as committed'}")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--check", nargs="+")
    parser.add_argument("--fast", nargs="+")
    arguments = parser.parse_args()
    try:
        if arguments.stale:
            return stale()
        if arguments.check:
            return 1 if check(arguments.check) else 0
        if arguments.fast:
            print_fast(arguments.fast)
        else:
            run_grid()
    except (SynthesisError, OSError) as error:
        print(f"gates.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
