#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the 1,797 handwritten digits of 8 x 8 pixels that scikit-learn carries (UCI's optical recognition set) as 28 x 28.

The file comes from Debian's package python3-sklearn, which is downloaded and not installed. The first 1,400 are to learn.
    scanned_digits.py DIR          DIR/train_images.npy, train_labels.npy, test_images.npy, test_labels.npy, as `train --data` reads
"""
import argparse
import csv
import gzip
import pathlib
import struct
import subprocess
import sys
import tempfile

MEMBER = "./usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
SMALL, LARGE, WHITE, TO_LEARN = 8, 28, 16, 1400


def download():
    with tempfile.TemporaryDirectory() as folder:
        command = ["apt-get", "-qq", "download", "python3-sklearn"]
        if subprocess.run(command, cwd=folder, capture_output=True).returncode != 0:
            subprocess.run(["apt-get", "-qq", "update"], check=True, capture_output=True)
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        package = next(pathlib.Path(folder).glob("python3-sklearn*.deb"))
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        return gzip.decompress((pathlib.Path(folder) / MEMBER).read_bytes()).decode()


def enlarge(pixels):
    """Interpolates bilinearly between the centres of pixels; outside the image the edge is repeated."""
    def around(i):
        at = min(max((i + 0.5) * SMALL / LARGE - 0.5, 0), SMALL - 1)
        low = min(int(at), SMALL - 2)
        return low, at - low

    picture = bytearray()
    for y in range(LARGE):
        top, down = around(y)
        for x in range(LARGE):
            left, across = around(x)
            corner = [pixels[(top + dy) * SMALL + left + dx] for dy in (0, 1) for dx in (0, 1)]
            above = corner[0] + (corner[1] - corner[0]) * across
            below = corner[2] + (corner[3] - corner[2]) * across
            picture.append(round((above + (below - above) * down) * 255 / WHITE))
    return bytes(picture)


def write_npy(path, shape, data):
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (%s,), }" % ", ".join(map(str, shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    rows = [[int(float(cell)) for cell in row] for row in csv.reader(download().splitlines())]
    for name, part in (("train", rows[:TO_LEARN]), ("test", rows[TO_LEARN:])):
        write_npy(folder / f"{name}_images.npy", (len(part), LARGE, LARGE), b"".join(enlarge(row[:-1]) for row in part))
        write_npy(folder / f"{name}_labels.npy", (len(part),), bytes(row[-1] for row in part))
    return 0


if __name__ == "__main__":
    sys.exit(main())
