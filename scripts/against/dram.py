#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the banked memory with DRAMsim3 and Ramulator 2.1, both built beforehand, under the same closed-loop traffic.

    dram.py --built build/release --dramsim3 CHECKOUT --ramulator CHECKOUT [--csv cells.csv] [--only TEXT] [--set KEY=VALUE]

DRAMsim3's checkout holds libdramsim3.so, Ramulator's libramulator.so, linked with the system's yaml-cpp and fmt. All three get the
times of configs/parts/ddr4_2133_x8.yaml, its queues and the same bursts, handed over one access of 64 bytes a clock by
streams in turns. A cell is one traffic: address map, pattern of the streams, direction, bytes of a burst, bursts
outstanding; what is compared is bytes per clock. Where the two simulators are within 10 % of each other they agree, and
there the memory must be within 15 % of one of them or between them.
"""
import argparse
import concurrent.futures
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "dram"
PART = "ddr4_2133_x8"
TOTAL = 256 << 10  # bytes of a cell
CLOCK_NS = 0.9375
AGREE, NEAR = 0.10, 0.15

HANDOVERS = ["access", "burst"]
MAPS = ["group_above_column", "group_interleaved"]
PATTERNS = ["one", "staggered 2", "staggered 4", "same bank 2", "same bank 4"]
DIRECTIONS = ["read", "write", "both"]
BURSTS = [64, 128, 256, 512, 1024, 2048, 4096]
OUTSTANDING = [1, 2, 4, 8]


def part_of(built):
    import yaml
    part = yaml.safe_load((ROOT / f"configs/parts/{PART}.yaml").read_text())
    return part, dict(part["mappings"])


def dramsim3_config(part, folder):
    t = part
    text = f"""[dram_structure]
protocol = DDR4
bankgroups = {1 << t['group_bits']}
banks_per_group = {1 << t['bank_bits']}
rows = {1 << t['row_bits']}
columns = {1 << t['column_bits']}
device_width = 8
BL = 8
[timing]
tCK = 0.9375
AL = 0
CL = {t['cl']}
CWL = {t['cwl']}
tRCD = {t['trcd']}
tRP = {t['trp']}
tRAS = {t['tras']}
tRFC = {t['trfc']}
tREFI = {t['trefi']}
tRPRE = 1
tWPRE = 1
tRRD_S = {t['trrd_s']}
tRRD_L = {t['trrd_l']}
tWTR_S = {t['twtr_s']}
tWTR_L = {t['twtr_l']}
tFAW = {t['tfaw']}
tWR = {t['twr']}
tRTP = {t['trtp']}
tCCD_S = {t['tccd_s']}
tCCD_L = {t['tccd_l']}
tCKE = 6
tXS = 385
tXP = 7
tRTRS = 1
[power]
VDD = 1.2
[system]
channel_size = 8192
channels = 1
bus_width = 64
address_mapping = rochrababgco
queue_structure = PER_BANK
refresh_policy = RANK_LEVEL_STAGGERED
row_buf_policy = OPEN_PAGE
cmd_queue_size = 8
trans_queue_size = {t['read_queue']}
[other]
epoch_period = 100000000
output_level = 0
"""
    path = folder / "dramsim3.ini"
    path.write_text(text)
    return path


def ramulator_config(checkout, part, folder, scheduler):
    """Uses Ramulator's own Python package, without its compiled half."""
    sys.path.insert(0, str(checkout / "python"))
    sys.modules.setdefault("ramulator._ramulator", types.ModuleType("_ramulator"))
    import ramulator
    names = {"nCL": "cl", "nRCD": "trcd", "nRP": "trp", "nRAS": "tras", "nRC": "trc", "nWR": "twr", "nRTP": "trtp",
             "nCWL": "cwl", "nCCDS": "tccd_s", "nCCDL": "tccd_l", "nRRDS": "trrd_s", "nRRDL": "trrd_l",
             "nWTRS": "twtr_s", "nWTRL": "twtr_l", "nFAW": "tfaw", "nRFC": "trfc", "nREFI": "trefi"}
    dram = ramulator.dram.DDR4(org_preset="DDR4_8Gb_x8", timing_preset="DDR4_2133P", rank=1,
                               **{name: part[key] for name, key in names.items()})
    controller = ramulator.controller.GenericDDR(
        dram=dram, scheduler=getattr(ramulator.scheduler, scheduler)(), row_policy=ramulator.row_policy.Open(),
        refresh_manager=ramulator.refresh_manager.AllBank(), addr_mapper=ramulator.addr_mapper.RoBaRaCoCh(),
        read_buffer_size=part["read_queue"], write_buffer_size=part["write_queue"])
    system = ramulator.memory_system.GenericDRAM(
        clock_ratio=1, controllers=[controller], channel_mapper=ramulator.channel_mapper.CacheLineInterleave())
    config = {"frontend": {"impl": "External", "clock_ratio": 1}, "memory_system": system.to_config()}
    path = folder / f"ramulator_{scheduler}.json"
    path.write_text(json.dumps(config))
    return path


def build(source, include, library, name, folder, more=()):
    program = folder / source
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{include}", str(HERE / f"{source}.cpp"), "-o", str(program),
                    f"-L{library}", f"-l{name}", *more, f"-Wl,-rpath,{library.resolve()}"], check=True)
    return program


def bursts(pattern, direction, size):
    """Returns rows of a trace. Streams lie 256 MiB apart, in one bank, or each a row of 8 KiB further, in other banks."""
    kind, count = (pattern, 1) if pattern == "one" else (pattern[:-2], int(pattern[-1]))
    for i in range(TOTAL // count // size):
        for stream in range(count):
            base = (stream << 28) + (stream * 8192 if kind == "staggered" else 0)
            write = direction == "write" or (direction == "both" and (i if count == 1 else stream) % 2)
            if direction == "both" and count == 1:
                base += (1 << 27) * write
                at = i // 2
            else:
                at = i
            yield stream, int(bool(write)), base + at * size, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", type=pathlib.Path, required=True)
    parser.add_argument("--dramsim3", type=pathlib.Path, required=True)
    parser.add_argument("--ramulator", type=pathlib.Path, required=True)
    parser.add_argument("--scheduler", default="FRFCFSRowHit", choices=["FRFCFSRowHit", "FRFCFS"], help="Ramulator's")
    parser.add_argument("--csv", type=pathlib.Path, help="every cell")
    parser.add_argument("--only", default="", help="cells whose name holds this")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="to fansim drive ddr")
    args = parser.parse_args()
    part, maps = part_of(args.built)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        d3 = build("dramsim3", args.dramsim3 / "src", args.dramsim3, "dramsim3", folder)
        ram = build("ramulator", args.ramulator / "src", args.ramulator, "ramulator", folder, ["-lyaml-cpp", "-lfmt"])
        ini = dramsim3_config(part, folder)
        yamls = {s: ramulator_config(args.ramulator, part, folder, s) for s in (args.scheduler,)}

        def cell(key):
            handover, where, pattern, direction, size, outstanding = key
            trace = folder / f"{'-'.join(map(str, key)).replace(' ', '_')}.csv"
            with open(trace, "w") as out:
                out.write("stream,write,address,bytes\n")
                out.writelines(f"{s},{w},0x{a:x},{b}\n" for s, w, a, b in bursts(pattern, direction, size))

            def clocks(*command):
                found = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True)
                return int(found.stdout.split()[-1])
            theirs = [clocks(d3, ini, folder, trace, maps[where], outstanding, handover)]
            theirs += [clocks(ram, path, trace, maps[where], outstanding, handover) for path in yamls.values()]
            out = subprocess.run([args.built / "fansim", "drive", "ddr", trace, "--set", f"part={PART}", "--set",
                                  f"mapping={where}", "--set", f"outstanding={outstanding}", "--set", f"handover={handover}",
                                  *itertools.chain(*(("--set", s) for s in args.set))],
                                 capture_output=True, text=True, check=True).stdout
            ours = max(float(row["last_ns"]) for row in csv.DictReader(l for l in out.splitlines() if not l.startswith("#"))) / CLOCK_NS
            trace.unlink()
            return key, ours, theirs

        part_clock = 0.9375
        keys = [k for k in itertools.product(HANDOVERS, MAPS, PATTERNS, DIRECTIONS, BURSTS, OUTSTANDING) if args.only in " ".join(map(str, k))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(cell, keys))
    report(rows, args.csv)


def report(rows, path):
    table = {}
    out = []
    for key, ours, theirs in rows:
        low, high = min(theirs), max(theirs)
        stuck = low < 0
        agree = not stuck and high <= low * (1 + AGREE)
        near = low * (1 - NEAR) <= ours <= high * (1 + NEAR)
        out.append([*key, *[f"{TOTAL / t * 16 / 15:.3f}" for t in (ours, *theirs)], "yes" if agree else "no",
                    f"{(low if ours < low else high if ours > high else ours) / ours - 1:+.3f}"])
        entry = table.setdefault(key[:3], [0, 0, 0])
        entry[0] += 1
        entry[1] += agree
        entry[2] += agree and near
    print("| handed over by | map | streams | cells | they agree | near them |\n|---|---|---|---:|---:|---:|")
    for (handover, where, pattern), (cells, agree, near) in table.items():
        print(f"| {handover} | {where} | {pattern} | {cells} | {agree} | {near} |")
    agree, near = sum(e[1] for e in table.values()), sum(e[2] for e in table.values())
    print(f"\n{near} of {agree} cells where both agree within {AGREE:.0%} are within {NEAR:.0%}: {near / max(agree, 1):.1%}")
    if path:
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["handover", "map", "streams", "direction", "bytes", "outstanding", "fansim_gbs", "dramsim3_gbs",
                             "ramulator_gbs", "agree", "off"])
            writer.writerows(out)


if __name__ == "__main__":
    main()
