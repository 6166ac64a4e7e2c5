#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares imported models with ONNX Runtime, whose WebAssembly build npm installs into a folder that is deleted again.

    onnxruntime.py --built build/release [--codes] [--shape 1,C,H,W] MODEL.onnx[:OUTPUT] ...

Each model gets three inputs drawn at random (uniform in 0..1, seed 1); the largest difference between the values of its
output, or of the value OUTPUT within it, relative to the largest of them, must be at most 10^-4; --shape is for dimensions that a file leaves open. With --codes the models are in codes from input to output and
run as such on zcu102_stream with wide sums; how many outputs are one step beside ONNX Runtime's is said, and none may be
further. Needs node and npm.
"""
import argparse
import array
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

INPUTS, MOST = 3, 1e-4
CONFIG = pathlib.Path(__file__).resolve().parents[2] / "configs/systems/zcu102_stream.yaml"
RUN = """
const ort = require('onnxruntime-web');
const fs = require('fs');
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';
(async () => {
  const job = JSON.parse(fs.readFileSync(0));
  const session = await ort.InferenceSession.create(job.model);
  const dims = job.shape;
  const size = dims.reduce((a, b) => a * b, 1);
  const all = new Float32Array(new Uint8Array(fs.readFileSync(job.inputs)).buffer);
  const out = [];
  for (let i = 0; i < job.count; ++i) {
    const feed = {};
    feed[session.inputNames[0]] = new ort.Tensor('float32', all.slice(i * size, (i + 1) * size), dims);
    const found = await session.run(feed);
    out.push(Array.from(found[job.output || session.outputNames[0]].data));
  }
  console.log(JSON.stringify(out));
})();
"""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields a message's fields: number, wire type, value, where it begins and ends."""
    at = 0
    while at < len(data):
        begin = at
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = {1: 8, 5: 4}[key & 7]
            value, at = data[at:at + size], at + size
        yield key >> 3, value, begin, at


def message(number, data):
    size, text = len(data), bytes([number << 3 | 2])
    while True:
        text += bytes([size & 127 | (128 if size > 127 else 0)])
        size >>= 7
        if size == 0:
            return text + data


def with_output(model, name):
    """Adds an output to the model (ModelProto.graph is field 7, GraphProto.output 12, ValueInfoProto.name 1)."""
    for number, graph, begin, end in fields(model):
        if number == 7:
            return model[:begin] + message(7, graph + message(12, message(1, name.encode()))) + model[end:]
    sys.exit("no graph")


def write_npy(path, shape, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s,), }" % ", ".join(map(str, shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes())


def read_npy(path):
    data = path.read_bytes()
    size = struct.unpack("<H", data[8:10])[0]
    return array.array("f", data[10 + size:])


def field(data, *numbers):
    """Returns the first field of each number, one within the other; empty if there is none."""
    for number in numbers:
        data = next((value for found, value, _, _ in fields(data) if found == number), b"")
    return data


def dims_of(model, written):
    """The network's input, and the same with the batch's 1 where the model has it (GraphProto.input is 11,
    ValueInfoProto.type 2, its tensor_type 1, shape 2, dim 1, dim_value 1)."""
    line = next(line for line in written.read_text().splitlines() if line.startswith("input:"))
    sequence = re.search(r"steps: (\d+), features: (\d+)", line)
    if not sequence:
        shape = [int(word) for word in line[line.index("[") + 1:line.index("]")].split(",")]
        return shape, [1, *shape]
    steps, features = map(int, sequence.groups())
    dims = [field(dim, 1) or 0 for number, dim, _, _ in fields(field(model, 7, 11, 2, 1, 2)) if number == 1]
    return [steps, features], [1, steps, features] if dims[1] == steps and steps > 1 else [steps, 1, features]


def runtime(model, x, dims, folder, output=""):
    """Returns what ONNX Runtime makes of INPUTS inputs."""
    (folder / "x.raw").write_bytes(x.tobytes())
    (folder / "model.onnx").write_bytes(with_output(model, output) if output else model)
    job = {"model": str(folder / "model.onnx"), "inputs": str(folder / "x.raw"), "count": INPUTS, "shape": dims,
           "output": output}
    run = subprocess.run(["node", "-e", RUN], cwd=folder.parent, input=json.dumps(job).encode(), capture_output=True)
    if run.returncode != 0:
        sys.exit(next((line for line in run.stderr.decode().splitlines() if line.startswith("Error")), "node failed"))
    return [value for one in json.loads(run.stdout) for value in one]


def format_of(line):
    """Returns step and zero point that a line of a network of floats gives."""
    found = re.search(r"format: \{step: ([^,]+), zero_point: (-?\d+), type: (\w+)\}", line)
    if not found:
        sys.exit(f"no codes: {line}")
    return float(found[1]), int(found[2]), found[3]


def compare_codes(fansim, path, folder):
    """Returns the number of outputs, and how many are one step off."""
    subprocess.run([fansim, "import", path, "-o", folder / "net"], check=True, stdout=subprocess.DEVNULL)
    model, written = pathlib.Path(path).read_bytes(), folder / "net/network.yaml"
    shape, dims = dims_of(model, written)
    lines = written.read_text().splitlines()
    step, zero, kind = format_of(next(line for line in lines if line.startswith("input:")))
    least = -128 if kind == "int8" else 0
    draw = random.Random(1)
    x = array.array("f", ((draw.randint(least, least + 255) - zero) * step for _ in range(INPUTS * math.prod(shape))))
    write_npy(folder / "x.npy", [INPUTS, *shape], x)
    wide = ["quantiser.operand_bits=27", "quantiser.accumulator_bits=32", "quantiser.rounding=half_up"]
    subprocess.run([fansim, "run", CONFIG, folder / "net/linear/network.yaml", "--inputs", folder / "x.npy", "--dump",
                    folder / "dump", *(word for key in wide for word in ("--set", key))], check=True,
                   stdout=subprocess.DEVNULL)
    last = re.search(r'name: "([^"]+)"', lines[-1])[1]
    step, zero, kind = format_of(lines[-1])
    data = (folder / f"dump/{last}.npy").read_bytes()
    codes = array.array("b" if kind == "int8" else "B", data[10 + struct.unpack("<H", data[8:10])[0]:])
    expected = [round(value / step) + zero for value in runtime(model, x, dims, folder)]
    if len(expected) != len(codes):
        sys.exit(f"{path}: {len(codes)} values, expected {len(expected)}")
    off = [abs(a - b) for a, b in zip(codes, expected)]
    return len(off), sum(one == 1 for one in off), max(off)


def compare(fansim, name, folder, open_shape):
    path, _, output = name.partition(":")
    wanted = ["--outputs", output] if output else []
    wanted += ["--shape", open_shape] if open_shape else []
    subprocess.run([fansim, "import", path, "-o", folder / "net", *wanted], check=True, stdout=subprocess.DEVNULL)
    model = pathlib.Path(path).read_bytes()
    shape, dims = dims_of(model, folder / "net/network.yaml")
    draw = random.Random(1)
    size = math.prod(shape)
    values = array.array("f", (draw.random() for _ in range(INPUTS * size)))
    write_npy(folder / "x.npy", [INPUTS, *shape], values)
    subprocess.run([fansim, "import", path, "-o", folder / "net", *wanted, "--inputs", folder / "x.npy", "--out",
                    folder / "y.npy"], check=True, stdout=subprocess.DEVNULL)
    found = read_npy(folder / "y.npy")
    expected = runtime(model, values, dims, folder, output)
    if len(expected) != len(found):
        sys.exit(f"{name}: {len(found)} values, expected {len(expected)}")
    largest = max(abs(value) for value in expected)
    return len(found), max(abs(a - b) for a, b in zip(found, expected)) / largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", type=pathlib.Path, required=True)
    parser.add_argument("--codes", action="store_true")
    parser.add_argument("--shape")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    fansim = (arguments.built / "fansim").resolve()
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "onnxruntime-web"], cwd=folder, check=True)
        version = json.loads((folder / "node_modules/onnxruntime-web/package.json").read_text())["version"]
        print(f"onnxruntime-web {version}")
        for i, model in enumerate(arguments.models):
            room = folder / str(i)
            room.mkdir()
            if arguments.codes:
                values, beside, most = compare_codes(fansim, model, room)
                worst = max(worst, most - 1)
                print(f"{pathlib.Path(model).name}: {values} values, {beside} one step beside, the furthest {most} steps")
                continue
            values, difference = compare(fansim, model, room, arguments.shape)
            worst = max(worst, difference)
            print(f"{pathlib.Path(model).name}: {values} values, the largest difference {difference:.2g} of the largest")
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
