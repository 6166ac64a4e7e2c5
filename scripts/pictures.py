#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/pictures/*.png: pages that the program writes, as a headless browser shows them. --built BUILD."""

import argparse
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = {  # picture -> the command that writes its page, and its size
    "alexnet": (["run", "zcu102_stream", "alexnet", "--timing-only"], (1180, 1640)),
    "front": (["explore", "tiny_stream", "tiny_conv"], (1180, 1120)),
}

parser = argparse.ArgumentParser()
parser.add_argument("--built", default=ROOT / "build/release", type=pathlib.Path)
built = parser.parse_args().built
for name, (command, (width, height)) in PAGES.items():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fansim_pictures_"))
    page, picture = folder / "page.html", ROOT / "docs/pictures" / f"{name}.png"
    picture.parent.mkdir(exist_ok=True)
    subprocess.run([built / "fansim", *command, "--html", page], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--window-size={width},{height}", f"--user-data-dir={folder / 'profile'}",
                    "--virtual-time-budget=4000", f"--screenshot={picture}", page.as_uri()], check=True,
                   capture_output=True)
    print(picture.relative_to(ROOT))
