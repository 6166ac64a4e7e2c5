#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/validation.md, and the table of README.md, from runs of what they speak of.

validation.py           build, run everything, write page and table
validation.py --check   the same without the comparison of speed, against what is committed; 1 if they differ
--built DIR             a build whose tests have run, instead of building
"""

import argparse
import csv
import difflib
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation.md"
FAST_ENGINE = ROOT / "docs" / "fast_engine.md"
CONFIG = "configs/systems/zcu102_stream.yaml"
KINDS = ["lut", "ff", "srl", "bram36", "dsp"]
# These marks stand around what depends on the machine.
README = ROOT / "README.md"
RANGED = [("zcu102_stream", "vgg16"), ("zcu102_stream", "alexnet"), ("zcu102_stream", "lstm256"), ("faq_zcu102_dorefa8", "alexnet")]
MARKS = ("<!-- headlines -->\n", "<!-- /headlines -->")
# The README shows these rows, and every row that is outside its tolerance.
HEADLINES = {("uestc", "VGG-16 time"), ("uestc", "LSTM-256 time"), ("uestc", "DSP"), ("faq", "average of five convolutions"),
             ("faq", "conv1 throughput"), ("faq", "computing engine active, conv2 to conv5"),
             ("faq", "best fully connected layer, weights read"), ("faq", "best bandwidth of reorganised weights"),
             ("faq", "DSP of the convolution engine"), ("pg021", "MM2S share of theoretical")}
MACHINE = re.compile(r"<!-- this machine -->.*?<!-- end -->", re.S)


def run(*command, codes=(0,)):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"validation.py: {' '.join(map(str, command))}: exit code {done.returncode}\n"
                 f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def build():
    run("cmake", "--preset", "release")
    run("cmake", "--build", "--preset", "release")
    subprocess.run(["ctest", "--preset", "release", "-L", "rtl"], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    return ROOT / "build" / "release"


def table(head, rows, left=1):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if n < left else "---:" for n in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def number(value):
    if value is None:
        return "-"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.6g}"


def signed_percent(found, truth):
    return f"{100 * (found - truth) / truth:+.1f} %" if truth else ("0" if found == truth else "-")


def fansim_json(built, *arguments, codes=(0,)):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "out.json"
        run(built / "fansim", *arguments, "--json", file, codes=codes)
        return json.loads(file.read_text())


def hand_counts():
    """Returns (model, configuration, its --set arguments, cycles) of the tests that check docs/timing.md's counts."""
    folder = ROOT / "tests/platform"
    text = (folder / "hand_count_test.cpp").read_text()
    memory, config = re.search(r'"(ddr=[^"]+)"', text)[1], re.search(r'shipped_config\("(\w+)"', text)[1]
    counts = [(model, config, [memory], int(cycles)) for model, cycles in
              re.findall(r'shipped_model\("(\w+)"\), counted_config\(\)\).*?run\.cycles\(\) == (\d+)', text, re.S)]
    text = (folder / "tiled_hand_count_test.cpp").read_text()
    memory, config = re.search(r'"(ddr=[^"]+)"', text)[1], re.search(r'counted_config\("(\w+)"', text)[1]
    of_one_clock = re.search(r"tiled::Config one_clock.*?\{(.*?)\n\}", text, re.S)[1]
    tiled = re.findall(r'shipped_model\("(\w+)"\),\s*(dorefa8|one_clock)\((.*?)\)\);.*?run\.cycles\(\) == (\d+)', text, re.S)
    return counts + [(model, config, [memory, *re.findall(r'"([^"]+)"', set_to + (of_one_clock if how == "one_clock" else ""))],
                      int(cycles)) for model, how, set_to, cycles in tiled]


def hand_counted(built):
    rows = []
    for model, config, set_to, counted in hand_counts():
        settings = [word for setting in set_to for word in ("--set", setting)]
        total = fansim_json(built, "run", f"configs/systems/{config}.yaml", f"models/{model}.yaml", "--engine", "clocked",
                            "--verify", "--cross-check", *settings, codes=(0, 3))["total"]  # 3: more than its device
        agree = "yes" if total["cycles"] == counted else "**no**"
        rows.append([model, " ".join([config, *set_to]), number(counted), number(total["cycles"]), agree])
    return table(["network", "configuration", "cycles counted", "cycles simulated", "equal"], rows, 2)


def twins(built):
    tests = json.loads(run("ctest", "--test-dir", built, "-L", "rtl", "--show-only=json-v1"))["tests"]
    files = sorted(pathlib.Path(test["command"][-1]) for test in tests if test["command"][-1].endswith(".json"))
    rows = []
    for path in files:
        block = path.stem
        if not path.exists():
            rows.append([block, "**no agreement recorded**", "", ""])
            continue
        found = json.loads(path.read_text())
        caught = f"{found['faults_caught']} of {found['faults_planted']}"
        if found["faults_caught"] != found["faults_planted"]:
            caught = f"**{caught}**"
        sets = "; ".join(found.get("parameters", [])) or "-"
        if "network" in found:
            sets = f"{found['layer']} of {found['network']} on {found['config']}"
        rows.append([block, sets, number(found["cycles"]), caught])
    return table(["block", "parameter sets", "cycles compared", "faults caught"], rows, 2)


@functools.lru_cache
def reproduction(built):
    return fansim_json(built, "reproduce", codes=(0, 1))


def reproduced(built):
    rows = []
    for row in reproduction(built)["rows"]:
        error = "-" if row["error_percent"] is None else f"{row['error_percent']:+.1f} %"
        tolerance = "-" if row["tolerance_percent"] is None else f"{row['tolerance_percent']:g} %"
        status = f"**{row['status']}**" if row["status"] in ("outside", "lost") else row["status"]
        rows.append([row["paper"], row["quantity"], row["unit"], number(row["published"]), number(row["simulated"]),
                     error, tolerance, row["claim"] or "", status])
    return table(["paper", "quantity", "unit", "published", "simulated", "error", "tolerance", "claim", "status"], rows, 3)


def readme(built):
    """Returns README.md with its table of headlines as `fansim reproduce` gives it."""
    rows = []
    for row in reproduction(built)["rows"]:
        if (row["paper"], row["quantity"]) in HEADLINES or row["status"] == "outside":
            status = "**outside**" if row["status"] == "outside" else row["status"]
            rows.append([row["paper"], row["quantity"], row["unit"], number(row["published"]), number(row["simulated"]),
                         f"{row['error_percent']:+.1f} %", f"{row['tolerance_percent']:g} %", row["claim"], status])
    head = ["paper", "quantity", "unit", "published", "simulated", "error", "tolerance", "claim", "status"]
    before, rest = README.read_text().split(MARKS[0])
    return before + MARKS[0] + table(head, rows, 3) + "\n" + MARKS[1] + rest.split(MARKS[1])[1]


def sensitivity(built):
    turns = fansim_json(built, "reproduce", "--sensitivity")["turns"]
    rows = [[t["quantity"], t["setting"] or "as shipped", f"{t['published']:g}", f"{t['simulated']:.4g}",
             f"{t['change_percent']:+.1f} %" if t["setting"] else ""] for t in turns]
    return table(["headline", "with", "published", "simulated", "change"], rows, 2)


def ranges(built):
    rows = []
    for config, network in RANGED:
        run_ = fansim_json(built, "run", config, network, "--timing-only", "--ranges")
        span, cycles = run_["ranges"], run_["total"]["cycles"]
        worst = max(span["keys"], key=lambda key: abs(key["cycles_at_to"] - key["cycles_at_from"]))
        rows.append([network, config, f"{cycles:,}", f"{span['least_cycles']:,}", f"{span['most_cycles']:,}",
                     f"{signed_percent(span['least_cycles'], cycles)} to {signed_percent(span['most_cycles'], cycles)}",
                     worst["key"]])
    out = table(["network", "configuration", "cycles", "least", "most", "%", "most by"], rows, 2)
    heads = fansim_json(built, "reproduce", "--ranges")["ranges"]
    return out + "\n\n" + table(
        ["paper", "quantity", "published", "simulated", "from", "to", "published inside"],
        [[h["paper"], f"{h['quantity']}, {h['unit']}", number(h["published"]), number(h["simulated"]), number(h["from"]),
          number(h["to"]), "yes" if h["published_inside"] else "no"] for h in heads], 2)


def headline(built):
    return reproduction(built)["headline"] + "."


def resources(built):
    """Returns the held-out points, and how the points of each set fare."""
    text = run(built / "tests" / "estimate_test", "[.compare]")
    start = text.index("twin,parameters,")
    points = list(csv.DictReader(line for line in text[start:].splitlines() if line.count(",") > 10))
    rows, met = [], {"fit": [0, 0], "held_out": [0, 0]}
    for point in points:
        within, cells = True, []
        for kind in KINDS:
            truth, found = float(point[kind]), float(point[f"estimated_{kind}"])
            allowed = max(8, 0.1 * truth) if kind in ("lut", "ff") else 0
            good = abs(found - truth) <= allowed
            within = within and good
            cell = number(truth) if found == truth else f"{number(truth)} / {number(round(found, 1))}"
            cells.append(cell if good else f"**{cell}**")
        met[point["set"]][0] += within
        met[point["set"]][1] += 1
        if point["set"] == "held_out":
            rows.append([point["twin"], point["parameters"], *cells, "yes" if within else "**no**"])
    head = ["twin", "parameters", "LUT", "FF", "SRL", "BRAM36", "DSP", "within"]
    summary = ", ".join(f"{good} of {all} {name}" for name, (good, all) in
                        (("held-out points", met["held_out"]), ("fit points", met["fit"])))
    return f"{summary} within tolerance.\n\n{table(head, rows, 2)}"


@functools.lru_cache
def blocks_of(built, coefficients):
    """Returns block -> (DSP, LUT, FF, BRAM36) as `fansim estimate` has them."""
    device = (ROOT / "configs/devices/zcu102.yaml").read_text()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "device.yaml"
        path.write_text(re.sub(r"coefficients: \w+", f"coefficients: {coefficients}", device))
        cost = json.loads(run(built / "fansim", "estimate", CONFIG, "--set", f"device={path}", "--json", "-"))
    blocks = [*cost["blocks"], {"name": "total", **cost["total"]}]
    return {block["name"]: tuple(block[kind] for kind in ("dsp", "lut", "ff", "bram36")) for block in blocks}


def systems(built):
    vivado, yosys = blocks_of(built, "vivado"), blocks_of(built, "yosys")
    rows = []
    for block in vivado:
        name = f"**{block}**" if block == "total" else block
        rows.append([name] + [number(value) for pair in zip(vivado[block], yosys[block]) for value in pair])
    head = ["block"] + [f"{kind} {name}" for kind in ("DSP", "LUT", "FF", "BRAM36") for name in ("vivado", "yosys")]
    return table(head, rows)


def difference(built):
    """Divides the difference to the thesis into its parts, from the estimates and the published totals alone."""
    published = {row["quantity"]: row["published"] for row in reproduction(built)["rows"]}
    vivado, yosys = blocks_of(built, "vivado"), blocks_of(built, "yosys")
    vendor = ("dma", "interconnect")
    own = [block for block in vivado if block not in (*vendor, "total")]
    parts, largest = [], []
    for column, kind in ((1, "LUT"), (2, "FF")):
        truth = published[kind]
        cited = sum(vivado[block][column] for block in vendor)
        counted, mapped = (sum(found[block][column] for block in own) for found in (vivado, yosys))
        parts.append([kind, number(truth), number(cited), number(counted), f"{mapped - counted:+,.0f}",
                      f"{truth - cited - mapped:+,.0f}"])
        surplus = sorted(own, key=lambda block: vivado[block][column] - yosys[block][column])[:4]
        largest.append(f"{kind}: " + ", ".join(f"{block} {yosys[block][column] - vivado[block][column]:+,.0f}"
                                               for block in surplus))
    head = ["", "thesis", "DMA and interconnect", "own blocks, vivado", "the same, yosys", "in no block of this design"]
    return f"{table(head, parts)}\n\nLargest from vivado to yosys: {'; '.join(largest)}."


def predictions(_):
    """docs/predictions.csv in short: VTA's records by their network, the total of what has one; a test holds the file to the runs."""
    found = {}
    with open(ROOT / "docs/predictions.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["unit"] != "ms":
                continue
            total = row["layer"] == "total"
            what = "total" if total else row["layer"].split("_")[0] if row["case"].startswith("vta") else "layers"
            found.setdefault((row["case"], what), []).append(float(row["value"]))
    rows = [[case, what, len(values), *(number(bound) for bound in (min(values), max(values)))]
            for (case, what), values in found.items()]
    return table(["configuration", "what", "predictions", "least, ms", "most, ms"], rows, 2)


def timed(_):
    """docs/timed_runs.csv in short: how many networks each configuration runs alike with and without values."""
    found = {}
    with open(ROOT / "docs/timed_runs.csv", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["configuration"], []).append(row["verdict"])
    verdicts = ["same", "does not fit", "refused", "differ"]
    rows = [[config, len(all_), *(all_.count(verdict) or "" for verdict in verdicts)] for config, all_ in found.items()]
    return table(["configuration", "networks", "same", "do not fit", "refused", "differ"], rows)


def speed(built):
    text = run(sys.executable, "-B", ROOT / "scripts" / "rtl_speed.py", built)
    return f"<!-- this machine -->\n{text.strip()}\n<!-- end -->"


def figures(_):
    return re.search(r"<!-- figures -->\n(.*?)\n*<!-- end -->", FAST_ENGINE.read_text(), re.S)[1]


def page(built, with_speed):
    speeds = speed(built) if with_speed else "<!-- this machine --><!-- end -->"
    prose = (ROOT / "docs" / "validation.in.md").read_text()
    sections = {"HAND": hand_counted, "TWINS": twins, "REPRODUCED": reproduced, "HEADLINE": headline, "SENSITIVITY": sensitivity, "RANGES": ranges, "RESOURCES": resources,
                "SYSTEMS": systems, "DIFFERENCE": difference, "PREDICTIONS": predictions, "TIMED": timed, "FIGURES": figures}
    for name, section in sections.items():
        prose = prose.replace(f"@{name}@", section(built))
    return prose.replace("@SPEED@", speeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--built", type=pathlib.Path)
    arguments = parser.parse_args()
    built = arguments.built.resolve() if arguments.built else build()
    text = page(built, not arguments.check)
    if not arguments.check:
        PAGE.write_text(text)
        README.write_text(readme(built))
        return 0
    differences = []
    for path, given in ((PAGE, text), (README, readme(built))):
        sides = [MACHINE.sub("", side).splitlines() for side in (path.read_text(), given)]
        differences += difflib.unified_diff(*sides, path.name, "these runs", lineterm="", n=0)
    print("\n".join(differences) or "docs/validation.md and the table of README.md are what these runs give")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
