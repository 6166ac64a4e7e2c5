#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the packed INT8 chain with FINN's packed units for the DSP48E2, mvu_8sx8u_dsp48 and mvu_4sx4u, clock by clock.

    finn.py FOLDER --draw [--seed N] [--rows N]      writes the stimuli: FOLDER/<cell>.rows
    finn.py FOLDER FANSIM [--show] [CELL ...]      compares with what FINN's units, simulated beforehand, made of them

FINN itself is not touched: who has run its units on the stimuli lays beside them, of each cell as far as there is

    <cell>.sums          a line `vld p` a row, p in hex, dot product 0 lowest, as they are after the row's edge
    <cell>.slices/*.csv  what the pins of a DSP48E2 were before each edge, and P and PCOUT after it: lines `# set ATTRIBUTE=VALUE`,
                         a header of port names, a line of hex words a row
    <cell>.stat.json     Yosys's `stat -json` after the flow of scripts/synthesise.py

A row is one clock: `rst en last zero` as four binary digits, weights w (dot product by dot product) and activations a in
hex. A cell's parameters are in finn/stimuli.py; weights are signed, sums 24 bits (ACCU_WIDTH), VERSION is 2. Ours are the twins
tests/rtl/int8_chain.v behind the same pins (finn/packed_unit.v), built with Verilator and run on the same rows. Told are

* whether valid and sums of every clock are those of integer arithmetic, and those of both units equal;
* the edges from a sum's last beat to its output;
* whether `fansim drive DSP48E2` gives every P and PCOUT of FINN's slices;
* slices, LUTs and registers of both from Yosys.

Exit code 1: something differs that is not told below to differ (`starved`, `overflow`). Needs verilator and yosys.
"""
import argparse
import collections
import csv
import itertools
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "finn")]
import synthesise
from stimuli import CELLS, SUM_BITS, draw_rows, packed, read_rows

MAY_DIFFER = {"starved", "overflow"}


def read_sums(lines):
    for line in lines:
        words = line.split()
        if len(words) == 2 and words[0] in "01":
            yield int(words[0]), int(words[1], 16)


class Judge:
    """Follows the rows by integer arithmetic and says, edge by edge, whether a unit has what it should."""

    def __init__(self, cell):
        self.cell = cell
        self.latency = None  # found at the first sum
        self.edges, self.row, self.due, self.valid = 0, 0, collections.deque(), False
        self.sums = [0] * cell.pe
        self.out, self.wrong, self.first_wrong = {}, 0, None

    def edges_to_output(self):
        return "-" if self.latency is None else self.latency + 1

    def fails(self, rows):
        return self.wrong > 0 or not self.out or self.row != rows

    def edge(self, row, valid, p):
        if row.rst:
            self.due.clear()
            self.sums, self.valid = [0] * self.cell.pe, False
        elif row.en:
            self.enabled(row, valid)
        right = valid == self.valid and (not valid or p == self.expected)
        if not right:
            self.wrong += 1
            self.first_wrong = self.first_wrong or (self.row, valid, p, self.valid, self.expected if self.valid else 0)
        if row.en and valid and self.valid:
            self.out[self.ended] = p
        self.row += 1

    def enabled(self, row, valid):
        self.edges += 1
        if not row.zero:
            for i in range(self.cell.pe):
                weights = row.weights[i * self.cell.simd:(i + 1) * self.cell.simd]
                self.sums[i] += sum(w * a for w, a in zip(weights, row.activations))
        if row.last:
            self.due.append((self.edges, self.row, packed(self.sums, SUM_BITS)))
            self.sums = [0] * self.cell.pe
        if self.latency is None and valid and self.due:
            self.latency = self.edges - self.due[0][0]
        self.valid = bool(self.due) and self.latency is not None and self.due[0][0] + self.latency == self.edges
        if self.valid:
            _, self.ended, self.expected = self.due.popleft()


def judge(cell, rows, lines):
    found = Judge(cell)
    for row, (valid, p) in zip(rows, read_sums(lines)):
        found.edge(row, valid, p)
    return found


def our_sources():
    twins = {name for twin in ("int8_chain", "delay_line", "pipelined_sum") for name in synthesise.sources(twin)}
    return [HERE / "finn" / "packed_unit.v"] + [synthesise.RTL / name for name in sorted(twins)]


def our_parameters(cell):
    return {"PE": cell.pe, "SIMD": cell.simd, "TERMS": cell.terms, "SHIFT": cell.shift, "SIGNED": cell.signed}


def run_ours(cell, rows, folder):
    generics = [f"-G{key}={value}" for key, value in our_parameters(cell).items()]
    subprocess.run(["verilator", "--binary", "--top-module", "bench", "--Mdir", str(folder), "-Wno-fatal", "-Wno-lint",
                    *generics, str(HERE / "finn" / "bench.sv"), *map(str, our_sources()),
                    str(synthesise.RTL / "models" / "DSP48E2.v")], check=True, capture_output=True)
    run = subprocess.run([folder / "Vbench", f"+rows={rows}"], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


def compare_sums(folder, names, show):
    print(f"{'cell':<20}{'rows':>9}{'sums':>9}{'theirs wrong':>14}{'ours wrong':>12}{'compared':>10}{'equal':>9}"
          f"{'edges theirs':>14}{'ours':>6}")
    bad = 0
    for name in names:
        cell, rows = CELLS[name], folder / f"{name}.rows"
        count = sum(1 for _ in open(rows))
        them = judge(cell, read_rows(rows, cell), open(folder / f"{name}.sums"))
        bad += them.fails(count) and cell.drawn not in MAY_DIFFER
        units = {"theirs": them}
        ours = f"{'-':>12}{'-':>10}{'-':>9}{them.edges_to_output():>14}{'-':>6}"
        if cell.terms:
            with tempfile.TemporaryDirectory() as built:
                us = units["ours"] = judge(cell, read_rows(rows, cell), run_ours(cell, rows, pathlib.Path(built)))
            both = us.out.keys() & them.out.keys()
            equal = sum(us.out[at] == them.out[at] for at in both)
            bad += us.fails(count) or (equal < len(both) and cell.drawn not in MAY_DIFFER)
            ours = f"{us.wrong:>12}{len(both):>10}{equal:>9}{them.edges_to_output():>14}{us.edges_to_output():>6}"
        print(f"{name:<20}{count:>9}{len(them.out):>9}{them.wrong:>14}{ours}", flush=True)
        for whose, found in units.items() if show else []:
            if found.first_wrong:
                row, valid, p, due, expected = found.first_wrong
                print(f"  {whose}: row {row}: {valid} {p:x}, should be {int(due)} {expected:x}")
    return bad


def drive(fansim, trace, folder):
    """Returns the rows of a slice's trace, and how many of our P and PCOUT differ from it."""
    lines = trace.read_text().splitlines()
    settings = [line.split(maxsplit=2)[2] for line in lines if line.startswith("# set ")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    pins = [name for name in rows[0] if name not in ("P", "PCOUT")]
    stimulus, out = folder / "stimulus.csv", folder / "out.csv"
    with open(stimulus, "w", newline="") as file:
        writer = csv.DictWriter(file, pins, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    subprocess.run([fansim, "drive", "DSP48E2", stimulus, "--out", out,
                    *itertools.chain(*(("--set", setting) for setting in settings))], check=True, capture_output=True)
    ours = list(csv.DictReader(line for line in open(out) if not line.startswith("#")))
    return len(rows), sum(a["P"] != b["P"] or a["PCOUT"] != b["PCOUT"] for a, b in zip(rows, ours)) + len(rows) - len(ours)


def compare_slices(folder, names, fansim):
    print(f"\n{'cell':<20}{'slices':>9}{'rows':>9}{'different':>11}")
    bad = 0
    for name in names:
        traces = sorted((folder / f"{name}.slices").glob("*.csv"))
        if not traces:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            found = [drive(fansim, trace, pathlib.Path(scratch)) for trace in traces]
        rows, different = map(sum, zip(*found))
        bad += different
        print(f"{name:<20}{len(traces):>9}{rows:>9}{different:>11}", flush=True)
    return bad


def compare_cells(folder, names):
    print(f"\n{'cell':<20}{'products':>9}   {'theirs: slices':>14}{'per slice':>11}{'LUT':>7}{'FF':>7}{'SRL':>6}"
          f"   {'ours: slices':>12}{'per slice':>11}{'LUT':>7}{'FF':>7}{'SRL':>6}")
    for name in names:
        cell, stat = CELLS[name], folder / f"{name}.stat.json"
        if not stat.exists():
            continue
        made = cell.pe * cell.simd
        line = f"{name:<20}{made:>9}   "
        uses = [(14, synthesise.count(stat.read_text()))]
        if cell.terms:
            uses.append((12, synthesise.run_yosys(our_sources(), "packed_unit", our_parameters(cell))))
        for width, use in uses:
            line += f"{use['dsp']:>{width}}{made / use['dsp']:>11.2f}{use['lut']:>7}{use['ff']:>7}{use['srl']:>6}   "
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("fansim", type=pathlib.Path, nargs="?")
    parser.add_argument("cells", nargs="*", metavar="CELL")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=20000, help="of a cell of sums")
    parser.add_argument("--show", action="store_true", help="the first clock that differs")
    arguments = parser.parse_args()
    if arguments.draw:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        draw_rows(arguments.folder, arguments.seed, arguments.rows)
        print(f"seed {arguments.seed}: {len(CELLS)} cells in {arguments.folder}")
        return 0
    if arguments.fansim is None:
        parser.error("FANSIM is missing")
    if unknown := [name for name in arguments.cells if name not in CELLS]:
        parser.error(f"no cell {unknown[0]}; there are {', '.join(CELLS)}")
    names = [name for name in arguments.cells or CELLS if (arguments.folder / f"{name}.sums").exists()]
    if not names:
        parser.error(f"{arguments.folder} has no <cell>.sums of these cells")
    bad = compare_sums(arguments.folder, names, arguments.show)
    bad += compare_slices(arguments.folder, names, arguments.fansim.resolve())
    compare_cells(arguments.folder, names)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
