#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/predictions.csv: what the simulator says of boards that others built and measured (docs/boards.md),
before anything was compared with a measurement.

predict.py                  runs every case, writes the file
predict.py --check          compares instead; 1 if a row differs
predict.py --only PATTERN   rows of these cases and networks alone (case/network, shell pattern); with --check
predict.py --shares         prints where each case's cycles went, too
--built DIR                 the build; build/release otherwise
"""

import argparse
import csv
import fnmatch
import io
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "docs/predictions.csv"
COLUMNS = ["case", "layer", "quantity", "unit", "value"]

# These settings differ from the configuration's file for some networks. Records "R18-1x16" are of the hardware before
# dd4ca23 (HW_VER 0.0.0, vta.cc at 3455ef3): its ALU takes a lane per cycle, and its padding a position per cycle.
# "R18-4x8" have a bias, which is loaded with each tile and added by a pass of its own (scripts/tune_conv2d.py).
SETTINGS = {"R18-1x16_*": ["post.interval=24", "load.pad_interval=1"],
            "R18-4x8_*": ["post.passes=4", "schedule.parameters=tile"]}

# case -> (network, the layers that the board's time includes; None: the network is one operator)
TIMED = {**{f"yolov2_zu3eg_{design}": ("yolov2", ["conv*", "pool*"]) for design in "abcd"},
         "pipecnn_de1soc": ("alexnet_grouped", ["conv*", "fc*"]),
         **{f"tinyyolov3_zedboard{point}": ("yolov3_tiny", ["conv*", "pool5"])
            for point in ("", "_n32_p4", "_n32_p2", "_n16_p8")}}


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: more than its device has
        sys.exit(f"predict.py: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def rounded(value):
    return f"{value:.4g}" if value < 1000 else str(int(float(f"{value:.4g}")))


def milliseconds(layers):
    return rounded(1000 * sum(layer["seconds"] for layer in layers))


class Predictor:
    def __init__(self, built, shares):
        self.program = built / "fansim"
        self.shares = shares

    def layers(self, case, network):
        settings = [setting for pattern, own in SETTINGS.items() if fnmatch.fnmatch(network.stem, pattern) for setting in own]
        words = [word for setting in settings for word in ("--set", setting)]
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run.json"
            run(self.program, "run", f"configs/boards/{case}.yaml", network, "--timing-only", "--json", out, *words)
            return json.loads(out.read_text())

    def show(self, what, layers):
        if not self.shares:
            return
        cycles = sum(layer["cycles"] for layer in layers)
        sums = {}
        for layer in layers:
            for bucket, count in layer["buckets"].items():
                sums[bucket] = sums.get(bucket, 0) + count
        parts = ", ".join(f"{bucket} {100 * count / cycles:.1f}" for bucket, count in sums.items() if count)
        print(f"{what}: {cycles:,} cycles; % {parts}")

    def operator(self, case, network):
        result = self.layers(case, network)
        self.show(f"{case}/{network.stem}", result["layers"])
        return [[case, network.stem, "time", "ms", milliseconds([result["total"]])]]

    def network(self, case, name, patterns):
        result = self.layers(case, ROOT / f"models/{name}.yaml")
        timed = [layer for layer in result["layers"]
                 if layer["type"] != "host" and any(fnmatch.fnmatch(layer["name"], pattern) for pattern in patterns)]
        for layer in timed:
            self.show(f"{case}/{layer['name']}", [layer])
        self.show(f"{case}/total", timed)
        rows = [[case, layer["name"], "time", "ms", milliseconds([layer])] for layer in timed]
        return rows + [[case, "total", "time", "ms", milliseconds(timed)]]

    def ports(self, board, traffic, settings):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder) / "traffic.csv"
            out = pathlib.Path(folder) / "out.csv"
            rows.write_text("case,port,write,burst_bytes,stride_bytes,base,window_bytes\n" + "".join(
                ",".join(map(str, row)) + "\n" for row in traffic))
            words = [word for setting in settings for word in ("--set", setting)]
            run(self.program, "drive", "ports", rows, "--config", f"configs/boards/{board}.yaml", "--out", out, *words)
            with open(out, newline="") as file:
                return list(csv.DictReader(file))

    def alveo(self):
        rows = []
        for bits, outstanding in itertools.product((256, 512), (4, 32)):
            traffic = [[f"{'write' if write else 'read'}_{bits}bit_burst{burst}_outstanding{outstanding}_{size >> 10}KiB",
                        "DDR0", write, burst * bits // 8, burst * bits // 8, 0, size]
                       for write in (0, 1) for burst in (4, 16, 32) for size in (16 << 10, 16 << 20)]
            for row in self.ports("alveo_u200", traffic, [f"data_bits={bits}", f"generator.outstanding={outstanding}"]):
                rows.append(["alveo_u200", row["case"], "bandwidth", "MB/s", rounded(float(row["MB_per_s"]))])
        return rows

    # Measures every subset of the ports with bursts of 256 bytes, read, written and both, in four settings.
    def zcu102(self):
        rows = []
        subsets = [ports for count in range(1, 5) for ports in itertools.combinations(range(4), count)]
        for name, settings, gap in (("300MHz", [], 0), ("100MHz", ["clock_mhz=100"], 0), ("strided", [], 8192),
                                    ("bank_row_column", ["mapping=bank_row_column"], 0)):
            traffic = []
            for ports, direction in itertools.product(subsets, ("read", "write", "both")):
                if direction != "both" and name != "300MHz":
                    continue
                case = f"{name}_{direction}_" + "+".join(f"HP{port}" for port in ports)
                for port, write in itertools.product(ports, (0, 1)):
                    if direction in ("both", "write" if write else "read"):
                        base = 0x40000000 - port * 0x10000000 + (0 if write else 0x8000000)
                        traffic.append([case, f"HP{port}", write, 256, 256 + gap, hex(base), 128 << 20])
            found = {}
            for row in self.ports("zcu102_ports", traffic, settings):
                found.setdefault((row["case"], row["write"]), []).append(row)
            for (case, write), of in found.items():
                what = "write" if write == "1" else "read"
                rows.append(["zcu102_ports", case, f"{what}_bandwidth", "MB/s",
                             rounded(sum(float(row["MB_per_s"]) for row in of))])
                if write == "0":
                    rows.append(["zcu102_ports", case, "read_latency", "cycles",
                                 rounded(sum(float(row["latency_cycles"]) for row in of) / len(of))])
        return rows

    # (case/network, how its rows are made)
    def cases(self):
        for core in ("1x16", "4x8"):
            case = f"vta_pynq_{core}"
            networks = (ROOT / "models/boards/vta").glob(f"*-{core}_*.yaml")
            for network in sorted(networks, key=lambda path: (path.stem.split("_")[0], int(path.stem.split("_")[1]))):
                yield f"{case}/{network.stem}", lambda case=case, network=network: self.operator(case, network)
        for case, (name, patterns) in TIMED.items():
            yield f"{case}/{name}", lambda case=case, name=name, patterns=patterns: self.network(case, name, patterns)
        yield "alveo_u200/ports", self.alveo
        yield "zcu102_ports/ports", self.zcu102


def text(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([COLUMNS, *rows])
    return out.getvalue()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
    options.add_argument("--check", action="store_true")
    options.add_argument("--only", default="*")
    options.add_argument("--shares", action="store_true")
    options = options.parse_args()
    predictor = Predictor(options.built, options.shares)
    rows = [row for name, rows_of in predictor.cases() if fnmatch.fnmatch(name, options.only) for row in rows_of()]
    if not rows:
        sys.exit(f"predict.py: no case is {options.only}")
    if not options.check:
        if options.only == "*":
            FILE.write_text(text(rows))
        else:
            print(text(rows), end="")
        return
    with open(FILE, newline="") as file:
        stated = {tuple(row[:4]): row[4] for row in csv.reader(file)}
    wrong = [row for row in rows if stated.get(tuple(row[:4])) != row[4]]
    for row in wrong:
        print(f"{FILE.relative_to(ROOT)}: {' '.join(row[:4])}: {stated.get(tuple(row[:4]), 'no row')}, the run says {row[4]}")
    if options.only == "*" and len(stated) != len(rows) + 1:
        wrong.append(None)
        print(f"{FILE.relative_to(ROOT)}: {len(stated) - 1} rows, the runs make {len(rows)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
