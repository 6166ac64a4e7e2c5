#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `fansim drive` with the vendor's open simulation library (XilinxUnisimLibrary, Apache-2.0) under Icarus Verilog.

    unisim.py LIBRARY FANSIM [--seed N] [--instances N] [--rows N] [--show N [--verbose]] [PRIMITIVE ...]

LIBRARY is a checkout of the library, FANSIM the built program. Each primitive that the program can drive (or those named)
gets instances with attributes drawn at random, some ports open, and rows of random pins, clock enables and resets; all
instances of a primitive run in one process of Icarus. Every bit of every output of every row is compared: the table has,
per output, the rows that are equal (wherever the library prints a value), those where the program prints x and the library
a value, those that differ, and those where the library prints x in some bit; --show prints that many of the first that
differ, --verbose their attributes and pins. The exit code is 1 if any row differs or is x where the library is not. Needs iverilog and vvp.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

Port = collections.namedtuple("Port", "name direction bits open")
QUIET = 8  # rows of a block RAM before its first access
PERIOD = 10000  # ps per row: pins change at its begin, clocks rise in its middle, outputs are sampled, and clocks fall
                # before its end
# The library does not pull these pins to a value if they are open, so rows would become x without a reason. (An open
# pin is 0 there even if it is inverted, so inverted pins stay closed.)
FLOATING = {"ACIN", "BCIN", "PCIN", "CARRYCASCIN", "MULTSIGNIN", "A", "D", "CDI", "I0", "I1", "I2", "I3", "I4", "I5",
            "ADDRARDADDR", "ADDRBWRADDR", "DINADIN", "DINBDIN", "DINPADINP", "DINPBDINP"}
WIDTHS = [0, 1, 2, 4, 9, 18, 36, 72]


def describe(fansim, primitive):
    """Returns its ports, and its attributes with their legal values."""
    text = subprocess.run([fansim, "describe", primitive], capture_output=True, text=True, check=True).stdout
    _, ports, attributes = text.split("\n\n")
    rows = [re.split(r"  +", line.strip()) for line in ports.splitlines()[2:]]
    ports = [Port(name, way, int(bits), shown) for name, way, bits, shown in rows]
    rows = [re.split(r"  +", line.strip()) for line in attributes.splitlines()[2:]]
    return ports, {name: legal for name, legal, _ in rows}


def draw_attribute(draw, legal):
    if ".." in legal:
        return draw.randint(*map(int, legal.split("..")))
    if found := re.fullmatch(r"(\d+) bits?", legal):
        return sized(draw, int(found[1]))
    word = draw.choice(legal.split(" | "))
    return int(word) if word.isdigit() else word


def sized(draw, bits):
    """Draws a Verilog literal with many or few ones."""
    value = draw.getrandbits(bits)
    if bits > 1 and draw.random() < 0.3:
        value = draw.choice([0, 1, (1 << bits) - 1, 1 << bits - 1, (1 << bits - 1) - 1])
    return f"{bits}'h{value:x}"


def slice_attributes(draw, at):
    """Draws what UG579 and the library both accept."""
    for path in "AB":
        registers = at[path + "REG"]
        at[path + "CASCREG"] = draw.randint(1, 2) if registers == 2 else registers
    if draw.random() < 0.6:
        at["USE_SIMD"] = "ONE48"
    if at["USE_SIMD"] != "ONE48":
        at["USE_MULT"] = "NONE"
    if at["USE_MULT"] == "NONE":
        at["MREG"] = 0
    if at["PREG"] == 0:
        at["AUTORESET_PATDET"] = "NO_RESET"
    for name in at:
        if name.startswith("IS_") and draw.random() < 0.7:
            at[name] = re.sub("h.*", "h0", at[name])
    at["MASK"] = f"48'h{(1 << draw.randint(0, 48)) - 1:x}"


def memory_attributes(draw, at, widest):
    """Draws widths and modes that go together, and error correction only for words that have it."""
    at["INIT_FILE"] = "NONE"
    for name in at:
        if name.startswith("IS_") and draw.random() < 0.8:
            at[name] = "1'h0"
    widths = [width for width in WIDTHS if width < widest]
    at["READ_WIDTH_A"], at["READ_WIDTH_B"], at["WRITE_WIDTH_A"], at["WRITE_WIDTH_B"] = draw.choices(widths[1:], k=4)
    use = draw.random()
    if use < 0.4:  # simple dual-port, on both buses at one end or at both
        at["READ_WIDTH_A"], at["READ_WIDTH_B"] = widest, 0
        at["WRITE_WIDTH_A"], at["WRITE_WIDTH_B"] = 0, widest
    if use < 0.1:
        at[draw.choice(["READ_WIDTH_A", "WRITE_WIDTH_B"])] = draw.choice(widths[1:])
    if widest == 72:
        at["EN_ECC_READ"] = at["EN_ECC_WRITE"] = draw.choice(["TRUE", "FALSE"]) if 0.1 < use < 0.4 else "FALSE"
        at["EN_ECC_PIPE"] = draw.choice(["TRUE", "FALSE"]) if at["EN_ECC_READ"] == "TRUE" else "FALSE"
    if at.get("EN_ECC_READ") == "TRUE":  # words with more than two wrong bits end the library's run
        for name in at:
            if name.startswith("INIT") and name != "INIT_FILE":
                at[name] = re.sub("h.*", "h0", at[name])


def draw_attributes(draw, primitive, legal):
    at = {name: draw_attribute(draw, values) for name, values in legal.items()}
    if primitive == "DSP48E2":
        slice_attributes(draw, at)
    if primitive.startswith("RAMB"):
        memory_attributes(draw, at, 72 if primitive == "RAMB36E2" else 36)
    return at


class Stimulus:
    """Draws rows of pins for one instance, and what is left open."""

    def __init__(self, draw, primitive, ports, at, rows):
        closed = draw.choice([1.0, 0.95])
        inputs = [port for port in ports if port.direction == "clock" or port.direction == "in" and
                  (port.name in FLOATING or port.name.startswith("WEB") or draw.random() < closed or
                   str(at.get(f"IS_{port.name}_INVERTED", "h0")).split("h")[1] != "0")]
        self.ports = inputs
        self.busy = draw.choice([1.0, 0.85])
        self.rows = [[self.pin(draw, primitive, port, at) for port in inputs] for _ in range(rows)]
        if primitive.startswith("RAMB"):
            self.begin(at)

    def begin(self, at):
        """Adds idle rows: the library looks for collisions when it has seen a few edges of either clock."""
        for row in self.rows[:QUIET]:
            for i, port in enumerate(self.ports):
                inverted = str(at.get(f"IS_{port.name}_INVERTED", "h0"))[-1] == "1"
                if port.direction == "clock":
                    row[i] = 1
                elif port.name.startswith(("EN", "RST")):
                    row[i] = int(inverted)

    def pin(self, draw, primitive, port, at):
        if port.direction == "clock":
            return int(draw.random() < 0.5 + self.busy / 2)
        if port.bits == 1:
            inverted = str(at.get(f"IS_{port.name}_INVERTED", "h0"))[-1] == "1"
            if port.name.startswith(("RST", "INJECT")) or port.name == "SLEEP":
                return int((draw.random() < (1.05 - self.busy) / 4) != inverted)
            if port.name.startswith(("CE", "EN", "REGCE")):
                return int((draw.random() < self.busy) != inverted)
            return draw.getrandbits(1)
        if port.name == "WEBWE" and at.get("EN_ECC_WRITE") == "TRUE":
            return draw.choice([0, 0xff])
        if port.name == "OPMODE":
            return self.opmode(draw)
        if port.name == "ALUMODE":
            return draw.choice([0, 0, 0, 3, 3, 1, 2, draw.getrandbits(4)])
        if port.name.startswith("ADDR"):
            return draw.choice([0, 64, 128, 256]) + draw.getrandbits(6)
        return int(sized(draw, port.bits).split("h")[1], 16)

    @staticmethod
    def opmode(draw):
        if draw.random() < 0.1:
            return draw.getrandbits(9)
        if draw.random() < 0.1:
            return 0b001001000
        xy = draw.choice([0b0101, 0b0101, 0b0011, 0b1100, 0b0010, 0b1111, 0b1000, 0b0000])
        return draw.choice([0, 0, 1, 2, 3]) << 7 | draw.choice([0, 1, 2, 3, 5, 6]) << 4 | xy


def literal(value):
    text = str(value)
    return text if text.isdigit() or "'h" in text else f'"{text}"'


def bench(folder, primitive, ports, instances, rows):
    """Writes a module with all instances, each with its memory of pins and a line of outputs per row."""
    outputs = [port for port in ports if port.direction == "out"]
    width = sum(port.bits for port in outputs)
    text = ["`timescale 1 ps / 1 ps", "module bench;", "  reg clock = 0;", "  integer row, file;"]
    load, show, start = [], [], []
    for i, (at, stimulus) in enumerate(instances):
        size = sum(port.bits for port in stimulus.ports)
        text += [f"  reg [{size - 1}:0] pins_{i} [0:{rows - 1}];", f"  reg [{size - 1}:0] now_{i};",
                 f"  wire [{width - 1}:0] out_{i};"]
        connected, at_bit = [], size
        for port in stimulus.ports:
            at_bit -= port.bits
            pins = f"now_{i}[{at_bit + port.bits - 1}:{at_bit}]"
            connected.append(f".{port.name}({f'clock & {pins}' if port.direction == 'clock' else pins})")
        at_bit = width
        for port in outputs:
            at_bit -= port.bits
            connected.append(f".{port.name}(out_{i}[{at_bit + port.bits - 1}:{at_bit}])")
        parameters = ", ".join(f".{name}({literal(value)})" for name, value in at.items())
        text.append(f"  {primitive} #({parameters}) u_{i} ({', '.join(connected)});")
        words = ["".join(f"{pin:0{port.bits}b}" for pin, port in zip(row, stimulus.ports)) for row in stimulus.rows]
        (folder / f"pins_{i}").write_text("\n".join(words))
        start.append(f'    $readmemb("{folder}/pins_{i}", pins_{i}); now_{i} = pins_{i}[0];')
        load.append(f"      now_{i} = pins_{i}[row];")
        show.append(f'      $fdisplay(file, "%b", out_{i});')
    half = PERIOD // 2
    text += ["  initial begin", *start, f'    file = $fopen("{folder}/out", "w");', "    #200000;",
             f"    for (row = 0; row < {rows}; row = row + 1) begin", *load, f"      #{half} clock = 1;",
             f"      #{half - 1000};", *show, "      #900 clock = 0;", "      #100;", "    end", "    $fclose(file);",
             "    $finish;", "  end", "endmodule"]
    (folder / "bench.v").write_text("\n".join(text) + "\n")


def run_library(library, folder, primitive, ports, instances, rows):
    """Returns for each instance and row the bits of every output."""
    bench(folder, primitive, ports, instances, rows)
    source = library / "verilog/src"
    # Removes the messages, some of which Icarus cannot print, and the end of the run at a word with more than two wrong
    # bits. The library also takes words for such a word while it compares the words of a collision.
    text = re.sub(r"\$display\s*\([^;]*\);", ";", (source / f"unisims/{primitive}.v").read_text())
    text = re.sub(r"(synd_ecc\[6:0\] *> *71\) begin\s*;\s*)\$finish;", r"\1", text)
    (folder / f"{primitive}.v").write_text(text)
    subprocess.run(["iverilog", "-g2012", "-s", "bench", "-s", "glbl", "-o", folder / "bench", folder / "bench.v",
                    folder / f"{primitive}.v", source / "glbl.v"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["vvp", "-n", folder / "bench"], check=True, stdout=subprocess.DEVNULL)
    lines = (folder / "out").read_text().split()
    if len(lines) != rows * len(instances):
        sys.exit(f"{primitive}: the library stopped after {len(lines) // len(instances)} of {rows} rows")
    return [lines[i::len(instances)] for i in range(len(instances))]


def run_program(fansim, folder, primitive, ports, at, stimulus):
    lines = [",".join(port.name for port in stimulus.ports)]
    for row in stimulus.rows:
        lines.append(",".join(f"{pin:x}" for pin in row))
    (folder / "pins.csv").write_text("\n".join(lines) + "\n")
    settings = [word for name, value in at.items() for word in ("--set", f"{name}={value}")]
    done = subprocess.run([fansim, "drive", primitive, folder / "pins.csv", "--bits", *settings], capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"{primitive}: {done.stderr}")
    inputs = len(stimulus.ports)
    return ["".join(line.split(",")[inputs:]) for line in done.stdout.splitlines()[1:]]


def verdict(ours, theirs):
    """Compares one output in one row."""
    pairs = list(zip(ours, theirs))
    if any(a in "01" and b in "01" and a != b for a, b in pairs):
        return "different"
    if any(a == "x" and b in "01" for a, b in pairs):
        return "ours x"
    return "equal"


def compare(arguments, primitive, folder):
    draw = random.Random(f"{arguments.seed} {primitive}")
    ports, legal = describe(arguments.fansim, primitive)
    outputs = [port for port in ports if port.direction == "out"]
    instances = []
    for _ in range(arguments.instances):
        at = draw_attributes(draw, primitive, legal)
        instances.append((at, Stimulus(draw, primitive, ports, at, arguments.rows)))
    theirs = run_library(arguments.library, folder, primitive, ports, instances, arguments.rows)
    counts = {port.name: collections.Counter() for port in outputs}
    shown = 0
    for i, (at, stimulus) in enumerate(instances):
        ours = run_program(arguments.fansim, folder, primitive, ports, at, stimulus)
        for row in range(arguments.rows):
            first = 0
            for port in outputs:
                a, b = (line[row][first:first + port.bits] for line in (ours, theirs[i]))
                first += port.bits
                found = verdict(a, b)
                counts[port.name][found] += 1
                counts[port.name]["library x"] += "x" in b
                if found != "equal" and shown < arguments.show:
                    shown += 1
                    print(f"  {primitive} instance {i} row {row} {port.name}: {found}: {a}, library {b}")
                    if arguments.verbose:
                        print("   ", {k: v for k, v in at.items() if not k.startswith("INIT")})
                        for r in range(max(0, row - 2), row + 1):
                            print("   ", {p.name: f"{v:x}" for p, v in zip(stimulus.ports, stimulus.rows[r])})
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("fansim", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--instances", type=int, default=40)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("primitives", nargs="*")
    arguments = parser.parse_args()
    arguments.fansim = arguments.fansim.resolve()
    listed = subprocess.run([arguments.fansim, "list", "primitives"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[1] for line in listed.splitlines() if line.startswith("primitives ")]
    version = subprocess.run(["iverilog", "-V"], capture_output=True, text=True, check=False).stdout.splitlines()[0]
    print(f"seed {arguments.seed}, {version}")
    print(f"{'primitive':<10}{'output':<15}{'rows':>7}{'equal':>8}{'ours x':>8}{'different':>11}{'library x':>11}")
    wrong = 0
    for primitive in arguments.primitives or names:
        with tempfile.TemporaryDirectory() as folder:
            for output, count in compare(arguments, primitive, pathlib.Path(folder)).items():
                rows = arguments.instances * arguments.rows
                wrong += rows - count["equal"]
                print(f"{primitive:<10}{output:<15}{rows:>7}{count['equal']:>8}{count['ours x']:>8}"
                      f"{count['different']:>11}{count['library x']:>11}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
