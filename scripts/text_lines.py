#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws lines of text, every second one upside down, as classifiers of a line's direction read them.

    text_lines.py DIR [--lines 400] [--size 48x192]     DIR/x.npy float32 [N, 3, H, W] of -1..1, DIR/y.npy: 0 upright, 1 not

Needs Debian's python3-pil and fonts-dejavu-core. Lines are filled from the left as far as they go, the rest is 0.
"""
import argparse
import array
import pathlib
import random
import string
import struct

from PIL import Image, ImageDraw, ImageFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")


def line(draw, height, width):
    """Draws dark letters and digits on a light ground, in any font and size that fits."""
    font = ImageFont.truetype(str(draw.choice(sorted(FONTS.glob("*.ttf")))), draw.randint(height // 2, height * 3 // 4))
    words = " ".join("".join(draw.choices(string.ascii_letters + string.digits, k=draw.randint(2, 7))) for _ in range(3))
    picture = Image.new("L", (width, height), draw.randint(180, 255))
    ImageDraw.Draw(picture).text((3, height // 2), words, font=font, fill=draw.randint(0, 80), anchor="lm")
    return picture


def write_npy(path, kind, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (kind, ", ".join(map(str, shape)))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--size", default="48x192")
    options = parser.parse_args()
    height, width = map(int, options.size.split("x"))
    draw = random.Random(1)
    values, labels = array.array("f"), array.array("b")
    for i in range(options.lines):
        picture = line(draw, height, width)
        if i % 2 == 1:
            picture = picture.rotate(180)
        plane = array.array("f", (pixel / 127.5 - 1 for pixel in picture.tobytes()))
        for _ in range(3):
            values.extend(plane)
        labels.append(i % 2)
    options.dir.mkdir(parents=True, exist_ok=True)
    write_npy(options.dir / "x.npy", "<f4", [options.lines, 3, height, width], values.tobytes())
    write_npy(options.dir / "y.npy", "|i1", [options.lines], labels.tobytes())


if __name__ == "__main__":
    main()
