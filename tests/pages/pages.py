# SPDX-License-Identifier: Apache-2.0
"""pages.py FANSIM CHROMIUM: writes every kind of page, opens it in a headless browser at two widths, light and dark, and
looks: all charts came up, no error on the console, nothing fetched from elsewhere, figures equal the JSON's."""

import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = (1280, 420)
fansim, chromium = sys.argv[1:]
folder = pathlib.Path(tempfile.mkdtemp(prefix="fansim_pages_"))


class Dom(html.parser.HTMLParser):
    """The attributes of all elements by tag, and the links."""

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
rows = [row["data-cycles"] for row in looks(page, 4).of("tr") if "data-cycles" in row]
assert rows == [str(layer["cycles"]) for layer in [*report["layers"], report["total"]]], rows
for system, network in (("faq_zcu102_dorefa8", "lenet5"), ("vision_zcu102", "edge")):
    looks(write(system, "run", system, network)[0], 4)

page, report = write("front", "explore", "tiny_stream", "tiny_conv")
objective = report["objectives"][0]
rows = [row for row in looks(page, 2).of("tr") if f"data-{objective}" in row]
assert [float(row[f"data-{objective}"]) for row in rows] == [point["metrics"][objective] for point in report["front"]]

page, report = write("rows", "reproduce", "faq-bandwidth")
assert len(looks(page, 3).of("tr")) == len(report["rows"]) + 1
print("pages: all came up")
