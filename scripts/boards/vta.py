#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/boards/vta/*.yaml, a network of one convolution each, and the tiles of their schedules,
configs/boards/vta_tiles_*.csv: the operators that were tuned and measured on a PYNQ-Z1 with TVM's VTA (docs/boards.md).

vta.py           writes them
vta.py --check   compares; 1 if a file differs
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Written by scripts/boards/vta.py: "

# Each line has an operator, its input and output, kernel, stride, padding, groups; then what the tuner chose, as splits
# into outer x inner parts: rows and columns of outputs, blocks of input and output channels; threads over output
# channels and over rows. The inner part is a tile's; -1 sets the outer part to the rest.
OPERATORS = """
R18-1x16/1 256x14x14 512x7x7 3 2 1 1 1x7 1x7 16x1 2x16 2 1
R18-1x16/2 512x7x7 512x7x7 3 1 1 1 1x7 1x7 32x1 2x16 2 1
R18-1x16/3 128x28x28 256x14x14 3 2 1 1 1x14 1x14 8x1 4x4 2 1
R18-1x16/4 256x14x14 256x14x14 3 1 1 1 1x14 1x14 16x1 4x4 2 1
R18-1x16/5 64x56x56 128x28x28 3 2 1 1 4x7 1x28 4x1 2x4 2 1
R18-1x16/6 128x28x28 128x28x28 3 1 1 1 2x14 1x28 8x1 4x2 1 2
R18-1x16/7 64x56x56 64x56x56 3 1 1 1 7x8 1x56 4x1 2x2 2 1
R18-1x16/8 64x56x56 128x28x28 1 2 0 1 4x7 1x28 4x1 2x4 1 2
R18-1x16/9 128x28x28 256x14x14 1 2 0 1 2x7 1x14 8x1 2x8 2 1
R18-1x16/10 256x14x14 512x7x7 1 2 0 1 1x7 1x7 16x1 2x16 2 1
R50-1x16/1 1024x14x14 2048x7x7 1 2 0 1 1x7 1x7 64x1 8x16 2 1
R50-1x16/2 512x28x28 1024x14x14 1 2 0 1 2x7 1x14 32x1 8x8 2 1
R50-1x16/3 256x56x56 512x28x28 1 2 0 1 28x1 1x28 2x8 1x32 1 2
R50-1x16/4 64x56x56 64x56x56 1 1 0 1 7x8 1x56 2x2 2x2 2 1
R50-1x16/5 256x56x56 64x56x56 1 1 0 1 14x4 1x56 8x2 1x4 1 2
R50-1x16/6 64x56x56 64x56x56 3 1 1 1 1x56 7x8 4x1 2x2 2 1
R50-1x16/7 64x56x56 256x56x56 1 1 0 1 7x8 1x56 2x2 8x2 2 1
R50-1x16/8 256x56x56 128x56x56 1 1 0 1 14x4 1x56 4x4 2x4 1 2
R50-1x16/9 128x56x56 128x28x28 3 2 1 1 1x28 4x7 8x1 2x4 2 1
R50-1x16/10 512x28x28 128x28x28 1 1 0 1 4x7 1x28 8x4 2x4 1 2
R50-1x16/11 128x28x28 128x28x28 3 1 1 1 1x28 4x7 8x1 2x4 2 1
R50-1x16/12 128x28x28 512x28x28 1 1 0 1 2x14 1x28 4x2 16x2 2 1
R50-1x16/13 512x28x28 256x28x28 1 1 0 1 7x4 1x28 8x4 2x8 2 1
R50-1x16/14 256x28x28 256x14x14 3 2 1 1 1x14 2x7 16x1 2x8 2 1
R50-1x16/15 1024x14x14 256x14x14 1 1 0 1 1x14 1x14 16x4 4x4 2 1
R50-1x16/16 256x14x14 256x14x14 3 1 1 1 1x14 2x7 16x1 2x8 2 1
R50-1x16/17 256x14x14 1024x14x14 1 1 0 1 1x14 1x14 8x2 16x4 2 1
R50-1x16/18 1024x14x14 512x14x14 1 1 0 1 1x14 1x14 16x4 8x4 2 1
R50-1x16/19 512x14x14 512x7x7 3 2 1 1 1x7 1x7 32x1 2x16 2 1
R50-1x16/20 2048x7x7 512x7x7 1 1 0 1 1x7 1x7 8x16 2x16 2 1
R50-1x16/21 512x7x7 512x7x7 3 1 1 1 1x7 1x7 32x1 2x16 2 1
R50-1x16/22 512x7x7 2048x7x7 1 1 0 1 1x7 1x7 4x8 8x16 2 1
ALEX-1x16/1 64x27x27 192x27x27 5 1 2 1 1x27 3x9 4x1 4x3 2 1
ALEX-1x16/2 192x13x13 384x13x13 3 1 1 1 1x13 1x13 12x1 4x6 2 1
ALEX-1x16/3 384x13x13 256x13x13 3 1 1 1 1x13 1x13 24x1 4x4 2 1
ALEX-1x16/4 256x13x13 256x13x13 3 1 1 1 1x13 1x13 16x1 4x4 2 1
VGG-1x16/1 64x112x112 128x112x112 3 1 1 1 1x112 28x4 4x1 4x2 2 1
VGG-1x16/2 128x112x112 128x112x112 3 1 1 1 2x56 8x14 8x1 8x1 2 1
VGG-1x16/3 128x56x56 256x56x56 3 1 1 1 1x56 7x8 8x1 8x2 2 1
VGG-1x16/4 256x56x56 256x56x56 3 1 1 1 1x56 14x4 16x1 4x4 2 1
VGG-1x16/5 256x28x28 512x28x28 3 1 1 1 1x28 7x4 16x1 4x8 2 1
VGG-1x16/6 512x28x28 512x28x28 3 1 1 1 1x28 4x7 32x1 8x4 2 1
VGG-1x16/7 512x14x14 512x14x14 3 1 1 1 1x14 2x7 32x1 4x8 2 1
MOBG-1x16/1 32x112x112 32x112x112 3 1 1 2 -1x14 -1x56 -1x1 -1x1 2 1
MOBG-1x16/2 64x112x112 64x56x56 3 2 1 4 -1x4 -1x56 -1x1 -1x1 1 2
MOBG-1x16/3 128x56x56 128x56x56 3 1 1 8 -1x14 -1x56 -1x1 -1x1 1 2
MOBG-1x16/4 128x56x56 128x28x28 3 2 1 8 -1x7 -1x28 -1x1 -1x1 2 1
MOBG-1x16/5 256x28x28 256x28x28 3 1 1 16 -1x28 -1x28 -1x1 -1x1 2 1
MOBG-1x16/6 256x28x28 256x14x14 3 2 1 16 -1x14 -1x14 -1x1 -1x1 2 1
MOBG-1x16/7 512x14x14 512x14x14 3 1 1 32 -1x14 -1x14 -1x1 -1x1 2 1
MOBG-1x16/8 512x14x14 512x7x7 3 2 1 32 -1x7 -1x7 -1x1 -1x1 2 1
MOBG-1x16/9 1024x7x7 1024x7x7 3 1 1 64 -1x7 -1x7 -1x1 -1x1 2 1
R18-4x8/1 64x56x56 64x56x56 3 1 1 1 28x2 1x56 8x1 1x8 1 2
R18-4x8/2 64x56x56 128x28x28 3 2 1 1 4x7 1x28 8x1 4x4 2 1
R18-4x8/3 64x56x56 128x28x28 1 2 0 1 28x1 1x28 1x8 1x16 1 2
R18-4x8/4 128x28x28 128x28x28 3 1 1 1 14x2 1x28 16x1 1x16 1 2
R18-4x8/5 128x28x28 256x14x14 3 2 1 1 2x7 1x14 16x1 4x8 1 2
R18-4x8/6 128x28x28 256x14x14 1 2 0 1 14x1 1x14 1x16 1x32 1 2
R18-4x8/7 256x14x14 256x14x14 3 1 1 1 1x14 1x14 32x1 8x4 2 1
R18-4x8/8 256x14x14 512x7x7 3 2 1 1 1x7 1x7 32x1 4x16 2 1
R18-4x8/9 256x14x14 512x7x7 1 2 0 1 7x1 1x7 2x16 2x32 2 1
R18-4x8/10 512x7x7 512x7x7 3 1 1 1 1x7 1x7 64x1 4x16 2 1
R50-4x8/1 1024x14x14 2048x7x7 1 2 0 1 7x1 1x7 8x16 8x32 2 1
R50-4x8/2 512x28x28 1024x14x14 1 2 0 1 14x1 1x14 8x8 4x32 2 1
R50-4x8/3 256x56x56 512x28x28 1 2 0 1 28x1 1x28 4x8 4x16 2 1
R50-4x8/4 64x56x56 64x56x56 1 1 0 1 28x2 1x56 2x4 2x4 1 2
R50-4x8/5 256x56x56 64x56x56 1 1 0 1 28x2 1x56 8x4 1x8 1 2
R50-4x8/6 64x56x56 64x56x56 3 1 1 1 28x2 1x56 8x1 1x8 1 2
R50-4x8/7 64x56x56 256x56x56 1 1 0 1 28x2 1x56 2x4 4x8 1 2
R50-4x8/8 256x56x56 128x56x56 1 1 0 1 56x1 1x56 16x2 1x16 1 2
R50-4x8/9 128x56x56 128x28x28 3 2 1 1 1x28 7x4 16x1 2x8 2 1
R50-4x8/10 512x28x28 128x28x28 1 1 0 1 14x2 1x28 32x2 1x16 1 2
R50-4x8/11 128x28x28 128x28x28 3 1 1 1 2x14 1x28 16x1 8x2 1 2
R50-4x8/12 128x28x28 512x28x28 1 1 0 1 14x2 1x28 4x4 4x16 1 2
R50-4x8/13 512x28x28 256x28x28 1 1 0 1 14x2 1x28 8x8 2x16 1 2
R50-4x8/14 256x28x28 256x14x14 3 2 1 1 2x7 1x14 32x1 4x8 1 2
R50-4x8/15 1024x14x14 256x14x14 1 1 0 1 2x7 1x14 16x8 4x8 2 1
R50-4x8/16 256x14x14 256x14x14 3 1 1 1 1x14 1x14 32x1 8x4 2 1
R50-4x8/17 256x14x14 1024x14x14 1 1 0 1 7x2 1x14 4x8 4x32 2 1
R50-4x8/18 1024x14x14 512x14x14 1 1 0 1 7x2 1x14 8x16 2x32 2 1
R50-4x8/19 512x14x14 512x7x7 3 2 1 1 1x7 1x7 64x1 4x16 2 1
R50-4x8/20 2048x7x7 512x7x7 1 1 0 1 1x7 1x7 16x16 8x8 2 1
R50-4x8/21 512x7x7 512x7x7 3 1 1 1 1x7 1x7 64x1 4x16 2 1
R50-4x8/22 512x7x7 2048x7x7 1 1 0 1 1x7 1x7 8x8 16x16 2 1
"""


def operators():
    for line in OPERATORS.split("\n"):
        if not line or line.startswith("#"):
            continue
        name, shape, out, kernel, stride, padding, groups, rows, columns, inputs, outputs, by_outputs, by_rows = line.split()
        batch, block = map(int, name.split("/")[0].split("-")[1].split("x"))
        inner = [int(split.rsplit("x", 1)[1]) for split in (rows, columns, inputs, outputs)]
        yield {"name": name.replace("/", "_"), "batch": batch, "block": block, "in": list(map(int, shape.split("x"))),
               "out": list(map(int, out.split("x"))), "kernel": int(kernel), "stride": int(stride),
               "padding": int(padding), "groups": int(groups),
               "tile": [inner[0], inner[1], inner[2] * block, inner[3] * block],
               "threads": "outputs" if by_outputs == "2" else "rows" if by_rows == "2" else "none"}


def checked(operator):
    for at in (1, 2):
        size = (operator["in"][at] + 2 * operator["padding"] - operator["kernel"]) // operator["stride"] + 1
        if size != operator["out"][at]:
            sys.exit(f"vta.py: {operator['name']}: {size} outputs, the table says {operator['out'][at]}")
    return operator


def network(operator):
    keys = [f"name: {operator['name']}", "type: conv", f"filters: {operator['out'][0]}", f"kernel: {operator['kernel']}"]
    if operator["stride"] > 1:
        keys.append(f"stride: {operator['stride']}")
    if operator["padding"]:
        keys.append(f"padding: {operator['padding']}")
    if operator["groups"] > 1:
        keys.append(f"groups: {operator['groups']}")
    keys += ["activation: relu", "quant: {scale: 1, shift: 8}"]
    shape = ", ".join(map(str, operator["in"]))
    return (HEAD + "shift by 8, at most 127, at least 0.\n"
            f"version: 1\nname: {operator['name']}\ninput: {{shape: [{shape}], type: int8}}\n"
            f"layers:\n  - {{{', '.join(keys)}}}\n")


def files():
    found = {}
    tiles = {}
    for operator in map(checked, operators()):
        found[ROOT / "models/boards/vta" / f"{operator['name']}.yaml"] = network(operator)
        row = ",".join(map(str, [operator["name"], *operator["tile"], operator["threads"]]))
        tiles.setdefault(f"{operator['batch']}x{operator['block']}", []).append(row)
    for core, rows in tiles.items():
        found[ROOT / "configs/boards" / f"vta_tiles_{core}.csv"] = "\n".join(
            ["layer,rows,columns,inputs,outputs,threads", *rows]) + "\n"
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    wrong = [path for path, text in files().items() if not path.exists() or path.read_text() != text]
    if check:
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not what scripts/boards/vta.py writes")
        sys.exit(1 if wrong else 0)
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
