# SPDX-License-Identifier: Apache-2.0
"""pages.py FANSIM CHROMIUM: writes every kind of page, opens it in a headless browser at two widths, light and dark, and
looks: all charts came up, no error on the console, nothing fetched from elsewhere, figures equal the JSON's."""

import csv
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTHS = (1280, 420)
fansim, chromium = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(tempfile.mkdtemp(prefix="fansim_pages_"))


class Dom(html.parser.HTMLParser):
    """Holds the attributes of all elements by tag, and the links."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def write(name, *command):
    page, report = folder / f"{name}.html", folder / f"{name}.json"
    subprocess.run([fansim, *command, "--html", page, "--json", report], check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return page, json.loads(report.read_text())


def look(page, charts, width, dark):
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},2000",
               f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=4000", "--enable-logging=stderr",
               "--host-resolver-rules=MAP * ~NOTFOUND"]
    if dark:
        command.append("--blink-settings=preferredColorScheme=0")
    run = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120,
                         check=True)
    console = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    assert not console, (page, console)
    dom = Dom(run.stdout)
    assert dom.of("html")[0].get("data-charts") == str(charts), (page, width, dom.of("html")[0])
    canvases = dom.of("canvas")
    assert len(canvases) == charts, (page, len(canvases))
    for canvas in canvases:
        assert int(canvas["width"]) > 0 and int(canvas["height"]) > 100, (page, canvas)
        assert int(canvas["width"]) <= 2 * width, (page, canvas)
    for tag in ("link", "script", "img"):
        for attributes in dom.of(tag):
            assert not attributes.get("href") and attributes.get("src", "data:").startswith("data:"), (page, attributes)
    return dom


def looks(page, charts):
    return [look(page, charts, width, dark) for width, dark in zip(WIDTHS, (False, True))][0]


page, report = write("run", "run", "zcu102_stream", "lenet5", "--timing-only")
rows = [row["data-cycles"] for row in looks(page, 5).of("tr") if "data-cycles" in row]
assert rows == [str(layer["cycles"]) for layer in [*report["layers"], report["total"]]], rows
# Buffers hold what --mapping says; the vision accelerator counts none of its lines.
for system, network, charts in (("faq_zcu102_dorefa8", "lenet5", 5), ("tiny_decoupled", "tiny_conv", 5),
                                ("vision_zcu102", "edge", 4)):
    page, report = write(system, "run", system, network, "--mapping")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S)[1])
    held = {layer["name"]: layer["mapping"]["buffers"] for layer in report["layers"] if layer.get("mapping")}
    assert data["machine"].get("buffers", {}) == {name: buffers for name, buffers in held.items() if buffers}, system
    for buffers in held.values():
        assert all(0 <= buffer["most"] <= buffer["capacity"] for buffer in buffers), (system, buffers)
    looks(page, charts)
# Without values there are no pictures, and a trainer has no buffers to tell of.
for system, network in (("vision_zcu102", "edge"), ("float_trainer", "digits")):
    looks(write("none", "run", system, network, "--timing-only")[0], 4)

page, report = write("front", "explore", "tiny_stream", "tiny_conv")
objective = report["objectives"][0]
rows = [row for row in looks(page, 2).of("tr") if f"data-{objective}" in row]
assert [float(row[f"data-{objective}"]) for row in rows] == [point["metrics"][objective] for point in report["front"]]

(folder / "space.yaml").write_text(f"version: 1\nname: narrow\nconfig: {root}/configs/systems/tiny_stream.yaml\n"
                                    "parameters:\n  array.input_channels: [4, 8]\n  array.output_channels: [4, 8, 16]\n"
                                    "  axi.data_bits: [64, 128]\nconstraints: [fits, dsp <= 200]\n"
                                    "objectives: [latency_ms, bram36]\n")
page, report = write("narrow", "explore", folder / "space.yaml", "tiny_conv")
rows = [row["data-excluded"] for row in looks(page, 2).of("tr") if "data-excluded" in row]
assert rows == ["; ".join(one["reasons"]) for one in report["neighbours"]]
assert any("is above 200" in row for row in rows) and any("multiple of" in row for row in rows), rows

page, report = write("sweep", "sweep", "tiny_stream", "tiny_conv", "--vary", "host.dma_setup=0,200,800", "--vary",
                     "array.output_channels=4,16", "--csv", folder / "sweep.csv")
points = report["points"]
metrics = [key for key in points[0] if key not in ("values", "reason")]
varying = [key for key in metrics if len({point[key] for point in points}) > 1]
rows = [row for row in looks(page, len(varying)).of("tr") if "data-cycles" in row]
assert [float(row["data-cycles"]) for row in rows] == [point["cycles"] for point in points]
assert [float(row["data-latency"]) for row in rows] == [point["latency_ms"] for point in points]
with open(folder / "sweep.csv", encoding="utf-8") as file:
    assert [float(row["cycles"]) for row in csv.DictReader(file)] == [point["cycles"] for point in points]
# A point that does not run has no figures, and its reason is in the table.
page, report = write("refused", "sweep", "zcu102_stream", "lenet5", "--vary", "axi.outstanding=1,99")
assert [row["data-cycles"] for row in looks(page, 0).of("tr") if "data-cycles" in row][1] == ""
assert report["points"][1]["reason"] in page.read_text()

page, report = write("inject", "inject", "tiny_stream", "tiny_conv", "--count", "40", "--each")
looks(page, 2)
assert all(fault["fault"] in page.read_text() for fault in report["faults"])

before, after = folder / "before.json", folder / "after.json"
for file, setting in ((before, "0"), (after, "800")):
    subprocess.run([fansim, "run", "tiny_stream", "tiny_conv", "--timing-only", "-q", "--json", file, "--set",
                    f"host.dma_setup={setting}"], check=True, stdout=subprocess.DEVNULL)
page, report = write("compare", "compare", before, after)
changed = [row for row in looks(page, 2).of("tr") if "data-change" in row]
for table in ("total", "buckets", "layers"):
    rows = [(row["data-name"], float(row["data-change"])) for row in changed if row["data-table"] == table]
    assert rows == [(row["name"], row["change"]) for row in report[table] if "change" in row], (table, rows)
assert report["layers"] and [abs(row["change"]) for row in report["layers"]] == sorted(
    (abs(row["change"]) for row in report["layers"]), reverse=True)
page, report = write("same", "compare", before, before)
looks(page, 0)
assert "Nothing differs" in page.read_text()

page, report = write("rows", "reproduce", "faq-bandwidth")
assert len(looks(page, 3).of("tr")) == len(report["rows"]) + 1
print("pages: all came up")
