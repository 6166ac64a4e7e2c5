#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the AXI ports and blocks with other people's: ZipCPU's stream movers and properties (wb2axip), verilog-axi's DMA,
adapter, crossbar and RAM, pulp's assertions, all of them Verilated beforehand.

    axi.py --kit PREFIX --models FOLDER [FOLDER ...] [--seed N] [--plants N] [--only TEXT] [--keep FOLDER]

PREFIX is what `cmake --install` wrote; a FOLDER holds models as NAME.h and NAME__ALL.a. scripts/against/axi is a project
outside the tree that finds the kit there, and builds the benches whose models are all there:

    zipcpu       aximm2s_32, aximm2s_128, aximm2s_unaligned_128, axis2mm_32, axis2mm_128
    watch        watch_zipcpu_32, _64, _128, watch_zipcpu_lite, watch_pulp_32, _64, _128: scripts/against/axi/watch_*
                 around the properties, assumptions taken for assertions
    verilog_axi  axi_dma_32, axi_adapter_32_128, axi_crossbar_2x1, axi_ram_32
    blocks       none: our own blocks, every port on wires

Tables: movers on the pins of the DDR; DMAs and memories in all pairs, with cycles; who finds what on the ports of recordings of
these, of our blocks, and of whole networks; in how many of N recordings with a fault each names a rule that it does not name
without. Exits 1 if a byte differs or somebody finds what is not expected. --keep leaves benches and waveforms.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "axi"
PART = "share/fansim/configs/parts/ddr4_2133_x8.yaml"
# ZipCPU's public properties follow the data of one write burst at a time. AXI4 allows a subordinate to accept the
# address of the next burst before the last beat, or data before their address; such a subordinate violates these
# properties.
ONE_WRITE_AT_A_TIME = {f"faxi_slave.v:{line}" for line in (537, 539, 627, 771, 783)}
NETWORKS = [("tiny_stream", "tiny_conv", "axi", ""), ("zcu102_stream", "lenet5", "axi", ""),
            ("faq_zcu102_dorefa8", "tiny_uint8", "port", "=port_clk")]


class Benches:
    def __init__(self, arguments, folder):
        self.kit, self.folder, self.seed = arguments.kit.resolve(), folder, str(arguments.seed)
        self.failed = []
        models = ";".join(str(path.resolve()) for path in arguments.models)
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "-S", HERE, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
                        f"-DCMAKE_PREFIX_PATH={self.kit}", f"-DMODELS={models}"], **quiet)
        subprocess.run(["cmake", "--build", folder / "build", "-j", str(os.cpu_count())], **quiet)

    def has(self, name):
        return (self.folder / "build" / name).exists()

    def run(self, name, *words, fails=False):
        """What a bench printed, without SystemC's banner; a failure is remembered unless it is expected."""
        done = subprocess.run([self.folder / "build" / name, *map(str, words)], capture_output=True, text=True)
        if (done.returncode != 0) != fails:
            self.failed.append(" ".join([name, *map(str, words)]))
            print(done.stdout + done.stderr, file=sys.stderr)
        return done.stdout

    def recording(self, name, *words):
        path = self.folder / f"{name}_{'_'.join(w for w in words if not w.startswith('-'))}.vcd"
        self.run(name, *words, "--seed", self.seed, "--vcd", path)
        return path


def numbers(text, pattern):
    return [int(word) for word in re.search(pattern, text).groups()]


def movers(benches):
    print("\n| mover | bits | memory | transfers | bytes | wrong | beats checked | findings |\n|---|---:|---|---:|---:|---:|---:|---:|")
    kinds = [("aximm2s", 32), ("aximm2s", 128), ("aximm2s_unaligned", 128), ("axis2mm", 32), ("axis2mm", 128)]
    for mover, width in kinds:
        for name, memory in (("ideal", "ideal"), ("fixed", "fixed"), ("banked", benches.kit / PART)):
            total = [0] * 5
            for stall in (0, 30, 80):
                out = benches.run("zipcpu", "--mover", mover, "--width", width, "--ddr", memory, "--stall", stall, "--seed",
                                  benches.seed, "--transfers", 300)
                found = numbers(out, r"(\d+) transfers, (\d+) bytes, (\d+) wrong, \d+ edges, (\d+\+\d+\+\d+) beats checked, (\d+)"
                                .replace(r"(\d+\+\d+\+\d+)", r"(\d+)\+\d+\+\d+"))
                total = [a + b for a, b in zip(total, found)]
            print(f"| {mover} | {width} | {name} | {total[0]} | {total[1]} | {total[2]} | {total[3]} | {total[4]} |")
    one = ["--ddr", "fixed", "--transfers", 1, "--from", 4096]
    for mover in ("aximm2s", "axis2mm"):
        for words in (4, 600):
            print(f"{mover}, {words} words:", benches.run("zipcpu", "--mover", mover, *one, "--words", words).splitlines()[-1])
    out = benches.run("zipcpu", "--mover", "axis2mm", "--early", 1, "--transfers", 3, "--words", 10, "--limit", 3000, fails=True)
    print("axis2mm, beats offered before it starts:", " ".join(out.split("\n")).strip())


def pairs(benches):
    print("\n| manager | path | packets | bytes | wrong | beats | findings |\n|---|---|---:|---:|---:|---:|---:|")
    paths = ["ours", "adapter", "crossbar", "our_ram", "ram"]
    for manager in ("ours", "theirs"):
        for path in paths:
            total = [0] * 5
            for stall in (0, 30, 80):
                out = benches.run("verilog_axi", "--manager", manager, "--path", path, "--stall", stall, "--seed", benches.seed,
                                  "--packets", 300)
                total = [a + b for a, b in zip(total, numbers(
                    out, r"(\d+) packets, (\d+) bytes, (\d+) wrong, \d+ edges, (\d+) beats checked, (\d+)"))]
            print(f"| {manager} | {path} | {' | '.join(map(str, total))} |")
    print("\n1,024 bytes, 16 bursts of 16 beats, nothing stalls:\n\n| manager | path | write: order to first address | first to last "
          "beat | last beat to end | read: order to first address | to first beat | first to last beat |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|")
    for manager in ("ours", "theirs"):
        for path in paths:
            out = benches.run("verilog_axi", "--manager", manager, "--path", path, "--packets", 1, "--bytes", 1024, "--from", 4096)
            each = r"{}: order at (\d+), \d+ bursts (\d+)\.\.\d+, beats (\d+)\.\.(\d+), over (\d+)"
            order, first, beat, last, over = numbers(out, each.format("write"))
            row = [first - order, last - beat + 1, over - last]
            order, first, beat, last, over = numbers(out, each.format("read"))
            print(f"| {manager} | {path} | {' | '.join(map(str, row + [first - order, beat - first, last - beat + 1]))} |")


def recordings(benches):
    """Lists name, file, and which clock has which port."""
    if benches.has("zipcpu"):
        for mover in ("aximm2s", "aximm2s_unaligned", "axis2mm"):
            yield mover, benches.recording("zipcpu", "--mover", mover, "--stall", "30", "--transfers", "40"), ""
    for width in ("32", "128"):
        file = benches.recording("blocks", "--width", width, "--stall", "30", "--rounds", "100")
        yield f"blocks, DMA of {width} bits", file, "m_axi_port=port_clk"
    if benches.has("verilog_axi"):
        for manager in ("ours", "theirs"):
            for path in ("ours", "crossbar", "our_ram", "ram"):
                file = benches.recording("verilog_axi", "--manager", manager, "--path", path, "--stall", "30", "--packets", "60")
                yield f"{manager} manager on {path}", file, ""
    for system, network, block, clocks in NETWORKS:
        file = benches.folder / f"{network}.vcd"
        subprocess.run([benches.kit / "bin/fansim", "run", system, network, "--engine", "clocked", "--timing-only", "--set",
                        f"{block}.pins=true", "--vcd", file, "--vcd-scope", "*pins"], check=True, stdout=subprocess.DEVNULL)
        yield f"{network} on {system}", file, clocks


def watch(benches, files):
    print("\n| recording | port | edges | beats | ours | pulp | zipcpu | of these one write at a time |\n|---|---|---:|---:|---:|---:|---:|---:|")
    for name, file, clocks in files:
        rows = collections.OrderedDict()
        for line in benches.run("watch", "--vcd", file, "--clocks", clocks).splitlines():
            if not re.match(r"\S+ (ours|pulp|zipcpu) \d", line):
                continue
            port, who, edges, beats, *found = line.split()
            rows.setdefault((port, edges, beats), {})[who] = dict(rule.split("=") for rule in found)
        for (port, edges, beats), found in rows.items():
            if beats == "0":
                continue
            strict = found["zipcpu"].keys() & ONE_WRITE_AT_A_TIME
            others = {who: rules.keys() - ONE_WRITE_AT_A_TIME for who, rules in found.items()}
            if any(others.values()):
                benches.failed.append(f"{name}, {port}: {found}")
            print(f"| {name} | {port} | {edges} | {beats} | {len(found['ours'])} | "
                  f"{len(found['pulp']) if 'pulp' in found else ''} | {len(found['zipcpu'])} | {len(strict)} |")


def plants(benches, files, times):
    print("\n| fault | planted | ours | zipcpu | pulp |\n|---|---:|---:|---:|---:|")
    wanted = [("ours manager on ram", "m_axi"), ("theirs manager on ram", "m_axi"), ("blocks, DMA of 32 bits", "m_axi_joined"),
              ("blocks, DMA of 32 bits", "m_axi_mm2s"), ("blocks, DMA of 32 bits", "lite")]
    for label, chosen in (("", wanted[:2]), ("several writes open: ", wanted[2:3]), ("reads alone: ", wanted[3:4]),
                          ("AXI4-Lite: ", wanted[4:])):
        sums = collections.OrderedDict()
        for name, port in chosen:
            file, clocks = next((file, clocks) for recorded, file, clocks in files if recorded == name)
            out = benches.run("watch", "--vcd", file, "--clocks", clocks, "--port", port, "--edges", 12000, "--plants", times,
                              "--seed", benches.seed)
            for line in out.splitlines():
                _, fault, planted, *found = line.split() if len(line.split()) > 2 else ("", "", "0")
                total = sums.setdefault(fault, collections.Counter())
                total["planted"] += int(planted)
                total.update({who: int(count) for who, count in (one.split("=") for one in found)})
        for fault, total in sums.items():
            if total["planted"]:
                pulp = "" if label.startswith("AXI4-Lite") else total["pulp"]
                print(f"| {label}{fault} | {total['planted']} | {total['ours']} | {total['zipcpu']} | {pulp} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kit", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plants", type=int, default=20)
    parser.add_argument("--only", default="", choices=["", "movers", "pairs", "watch"])
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for benches and waveforms")
    arguments = parser.parse_args()
    os.environ["SYSTEMC_DISABLE_COPYRIGHT_MESSAGE"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or pathlib.Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        benches = Benches(arguments, folder.resolve())
        print(f"seed {arguments.seed}, {subprocess.run(['verilator', '--version'], capture_output=True, text=True, check=False).stdout.strip()}")
        if arguments.only in ("", "movers") and benches.has("zipcpu"):
            movers(benches)
        if arguments.only in ("", "pairs") and benches.has("verilog_axi"):
            pairs(benches)
        if arguments.only in ("", "watch") and benches.has("watch"):
            files = list(recordings(benches))
            watch(benches, files)
            plants(benches, files, arguments.plants)
    for failure in benches.failed:
        print(f"not expected: {failure}", file=sys.stderr)
    return 1 if benches.failed else 0


if __name__ == "__main__":
    sys.exit(main())
