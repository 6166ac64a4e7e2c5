#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes models/yolov2.yaml, of Darknet's yolov2.cfg, and configs/boards/yolov2_tiles_*.csv: the tiles that the host
program of the YOLOv2 accelerators on a ZU3EG chooses for its layers (docs/boards.md).

yolov2.py           writes them
yolov2.py --check   compares; 1 if a file differs
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# An entry is (filters, kernel) of a convolution, "pool" or "from NAME".
LAYERS = [(32, 3), "pool", (64, 3), "pool", (128, 3), (64, 1), (128, 3), "pool", (256, 3), (128, 1), (256, 3), "pool",
          (512, 3), (256, 1), (512, 3), (256, 1), (512, 3), "pool", (1024, 3), (512, 1), (1024, 3), (512, 1), (1024, 3),
          (1024, 3), (1024, 3), "from leaky13", (64, 1), "reorg", (1024, 3), (425, 1)]
# The values are positions of an input buffer and of an output buffer, and input and output channels. They are from
# hls/src_float32/cnn.h (A), src_float32_mp/cnn.h (B), and src_int16_128b/acc_i16c.h (C and D).
DESIGNS = {"a": (65 * 53, 26 * 32, 4, 28), "b": (65 * 53, 26 * 32, 4, 36), "cd": (53 * 53, 26 * 26, 8, 24)}

HEAD = """# SPDX-License-Identifier: Apache-2.0
# YOLOv2 (Redmon and Farhadi 2017; Darknet's yolov2.cfg) up to its region layer. A code of what leaky ReLU reads counts
# 1/16. Darknet's reorg puts a block's elements elsewhere among the channels than space_to_depth does; as many move.
# Written by scripts/boards/yolov2.py.
version: 1
name: yolov2
input: {shape: [3, 416, 416], type: int8}
layers:
"""


def network():
    lines, geometry = [], []
    channels, size, conv, pool, source = 3, 416, 0, 0, None
    for layer in LAYERS:
        if layer == "pool":
            pool += 1
            lines.append(f"{{name: pool{pool}, type: maxpool, kernel: 2}}")
            size //= 2
            geometry.append((f"pool{pool}", channels, channels, size, 2, 2))
        elif layer == "reorg":
            lines.append("{name: reorg, type: space_to_depth, factor: 2}")
            lines.append("{name: joined, type: concat, with: leaky20}")
            channels, size = channels * 4 + 1024, size // 2
        elif isinstance(layer, str):
            source, channels, size = layer.split()[1], 512, 26
        else:
            conv += 1
            filters, kernel = layer
            keys = [f"name: conv{conv}", "type: conv", f"filters: {filters}", f"kernel: {kernel}"]
            if source:
                keys.insert(2, f"input_from: {source}")
                source = None
            if kernel > 1:
                keys.append("padding: 1")
            last = layer is LAYERS[-1]
            if not last:
                keys.append("step: 0.0625")
            lines.append("{" + ", ".join(keys) + "}")
            if not last:
                lines.append(f"{{name: leaky{conv}, type: leaky_relu, alpha: 0.1}}")
            geometry.append((f"conv{conv}", channels, filters, size, kernel, 1))
            channels = filters
    return HEAD + "".join(f"  - {line}\n" for line in lines), geometry


def tiles(geometry, inputs, outputs, buffer, sums):
    """Returns TC, TR, TM and TN as SDK/*/yolov2_acc*.h chooses them."""
    rows = ["layer,rows,columns,inputs,outputs,threads"]
    for name, ifm, ofm, size, kernel, stride in geometry:
        tc = min((buffer // kernel - kernel) // stride + 1, size, sums)
        wide = (tc - 1) * stride + kernel
        tr = min((buffer // wide - kernel) // stride + 1, size, sums // tc)
        pool = name.startswith("pool")
        rows.append(",".join(map(str, [name, tr, tc, min(ifm, inputs), min(ofm, inputs if pool else outputs), "none"])))
    return "\n".join(rows) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    text, geometry = network()
    files = {ROOT / "models/yolov2.yaml": text}
    for design, (buffer, sums, inputs, outputs) in DESIGNS.items():
        files[ROOT / f"configs/boards/yolov2_tiles_{design}.csv"] = tiles(geometry, inputs, outputs, buffer, sums)
    wrong = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    for path in wrong:
        if check:
            print(f"{path.relative_to(ROOT)} is not what scripts/boards/yolov2.py writes")
        else:
            path.write_text(files[path])
    sys.exit(1 if check and wrong else 0)


if __name__ == "__main__":
    main()
