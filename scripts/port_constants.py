#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the constants of configs/parts/zcu102_ps_ddr4*.yaml, derived from runs of the fitted memory path.

The path is `fansim drive ports`. Then how far a memory of these constants is from it (docs/memory.md).
    scripts/port_constants.py [--built build/release]
"""
import argparse
import csv
import fractions
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PORT_BYTES = 16
DRAM_BITS_PER_US = 64 * 2 * fractions.Fraction(3200, 3)  # 64 bits with two transfers per clock
CL_AND_BURST_NS = (15 + 4) * 0.9375  # read of an open row: zcu102_ddr4_2133.yaml
WAY_THERE = 24 / 51  # of the path's 51 clocks of the controller: there 24 (cut, issue, port 6, queue 16), back 4 of
                     # data, 16, port 7
REFRESH_US = 7.8
WIDEST = 1024  # ddr.data_bits
TRANSACTION = 16  # beats; DMA and port cut bursts into transactions of this size
KINDS = {"read": [0], "write": [1], "both": [0, 1]}
# Each entry is a clock, and the bursts that systems with that clock have in flight.
CLOCKS = [("250", 4), ("1000/3", 16), ("100", 4)]
WINDOW = 1 << 24


class Path:
    """Returns (share of the port's rate, latency in cycles) of each generator; each case is run once."""

    def __init__(self, program):
        self.program, self.known = program, {}

    def __call__(self, clock, outstanding, beats, kind, ports=("HP0",), refresh=True):
        key = (clock, outstanding, beats, kind, ports, refresh)
        if key not in self.known:
            self.known[key] = self.run(*key)
        return self.known[key]

    def run(self, clock, outstanding, beats, kind, ports, refresh):
        size = beats * PORT_BYTES
        rows = ["case,port,write,burst_bytes,stride_bytes,base,window_bytes"]
        for place, port in enumerate(ports):
            for write in KINDS[kind]:
                rows.append(f"a,{port},{write},{size},{size},{(2 * place + write) << 28},{WINDOW}")
        with tempfile.TemporaryDirectory() as folder:
            traffic, out = pathlib.Path(folder, "t.csv"), pathlib.Path(folder, "o.csv")
            traffic.write_text("\n".join(rows) + "\n")
            settings = [f"clock_mhz={clock}", f"generator.outstanding={outstanding}"]
            settings += [] if refresh else ["memory.trfc=0"]
            words = [word for setting in settings for word in ("--set", setting)]
            subprocess.run([self.program, "drive", "ports", traffic, "--out", out, *words], check=True,
                           stdout=subprocess.DEVNULL)
            most = float(fractions.Fraction(clock)) * PORT_BYTES
            return [(float(row["MB_per_s"]) / most, float(row["latency_cycles"]))
                    for row in csv.DictReader(out.read_text().splitlines())]


def constants(path, clock, outstanding):
    """Returns {key: (value, how it follows)}."""
    mhz = float(fractions.Fraction(clock))
    # A burst is requested, popped one edge later and granted two edges later. Its last beat is pushed beats - 1 edges
    # after the first or after the grant, and popped one edge later.
    reads = [path(clock, 1, n, "read", refresh=False)[0][1] - n - 2 for n in (1, 4, TRANSACTION, 64)]
    writes = [path(clock, 1, n, "write")[0][1] - n - 2 for n in (1, 4, TRANSACTION, 64)]
    both = [rate for rate, _ in path(clock, 50, TRANSACTION, "both")]
    interval = round(REFRESH_US * mhz)
    held, free = (path(clock, outstanding, TRANSACTION, "read", refresh=on)[0][0] for on in (True, False))
    lost = interval * (1 - held / free)
    rest = reads[2] - CL_AND_BURST_NS * mhz / 1000
    bits = DRAM_BITS_PER_US / fractions.Fraction(clock)
    spread = "bursts of 1, 4, 16, 64 beats: {}".format
    return {
        "data_bits": (min(WIDEST, int(bits)), f"{float(bits):.1f} bits a cycle"),
        "read_latency": (round(reads[2]), spread(", ".join(f"{r:.1f}" for r in reads))),
        "write_latency": (round(writes[2]), spread(", ".join(f"{w:.1f}" for w in writes))),
        "turnaround": (0, "both at once, share of the port's rate: " + ", ".join(f"{100 * b:.1f} %" for b in both)),
        "refresh_interval": (interval, "7.8 us"),
        "refresh_cycles": (round(lost), f"reads of 16 beats, {outstanding} in flight: {lost:.1f}"),
        "request_latency": (round(WAY_THERE * rest), f"banked: {rest:.1f} cycles beside CL and burst, both ways"),
        "response_latency": (round((1 - WAY_THERE) * rest), "banked: the rest of them"),
    }


def fixed(of, outstanding, beats, kind):
    """Returns the share of the port's rate that each direction gets from `fidelity: fixed`, by the rules of docs/timing.md."""
    value = {key: number for key, (number, _) in of.items()}
    streams = [{"write": write, "ready": [0] * outstanding, "sent": 0, "data": 0, "done": 0} for write in KINDS[kind]]
    free, due, last = 0, value["refresh_interval"] if value["refresh_cycles"] else 1 << 60, None
    end = 40 * value["refresh_interval"]
    while free < end:
        heads = [max(s["ready"][0], s["sent"]) for s in streams]
        edge = max(free, min(heads) + 2)
        if due <= edge:
            start = max(due, free)
            free, due = start + value["refresh_cycles"], due + value["refresh_interval"]
            continue
        waiting = [s for s, head in zip(streams, heads) if head + 2 <= edge]
        turn = [s for s in waiting if s["write"] != last]
        stream = (turn or waiting)[0]
        request = max(stream["ready"].pop(0), stream["sent"])
        stream["sent"] = request + 1
        if stream["write"]:
            # Beats follow the request and the beats of the burst before, one per cycle.
            stream["data"] = max(stream["data"], request) + beats
            free = max(edge + beats, stream["data"] + 1)
            done = free + value["write_latency"]
        else:
            free = edge + beats
            done = free + value["read_latency"]
        stream["ready"].append(done)
        stream["done"] += beats
        last = stream["write"]
    return [s["done"] / end for s in streams]


def table(path, clock, of):
    print(f"\nPer cent of the port's rate at {clock} MHz, path / fixed:\n")
    print("| beats | outstanding | reads | writes | both: reads | writes |\n|---|---|---|---|---|---|")
    for beats in (1, 4, 16, 64, 256):
        for outstanding in (1, 4, 16):
            cells = []
            for kind in KINDS:
                pairs = zip(path(clock, outstanding, beats, kind), fixed(of, outstanding, beats, kind))
                cells += [f"{100 * there[0]:.1f} / {100 * here:.1f}" for there, here in pairs]
            print(f"| {beats} | {outstanding} | " + " | ".join(cells) + " |")


def explain(derived, key, hidden):
    """Prints which whole nanoseconds, less `hidden` edges of the port and rounded up, are the constant at every clock."""
    wanted = {fractions.Fraction(clock): of[key][0] for clock, of in derived.items()}
    periods = [(1000 / mhz, max(0, cycles + hidden)) for mhz, cycles in wanted.items()]
    low = max((cycles - 1) * period for period, cycles in periods)
    high = min(cycles * period for period, cycles in periods)
    times = [ns for ns in range(int(low) + 1, int(high) + 1)]
    print(f"  {key}: {times} ns - {hidden} cycles")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
    path = Path(options.parse_args().built / "fansim")
    derived = {clock: constants(path, clock, outstanding) for clock, outstanding in CLOCKS}
    for clock, of in derived.items():
        print(f"\n{clock} MHz")
        for key, (value, reason) in of.items():
            print(f"  {key + ':':18}{value:5}  # {reason}")
        two = path(clock, 50, TRANSACTION, "read", ("HP0", "HP3"))
        print("  two ports, share of a port's rate: " + ", ".join(f"{100 * rate:.1f} %" for rate, _ in two))
    print("\none time for all clocks")
    for key in ("read_latency", "write_latency", "request_latency", "response_latency"):
        explain(derived, key, 2)
    for clock, of in derived.items():
        table(path, clock, of)


if __name__ == "__main__":
    main()
