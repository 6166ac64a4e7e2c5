#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the rate of the fast engine's values beside oneDNN's INT8 convolutions, on one thread of this machine.

    onednn.py BUILT [--config zcu102_stream] [--network vgg16] [--rounds N]

BUILT is a release build (build/release). oneDNN is Debian's libdnnl-dev, for this script alone. Compared are a network's
convolutions, in the same multiply-accumulates:
 * oneDNN: unsigned bytes in and out, each layer by itself, weights laid out beforehand, best of nine;
 * values: what one more picture costs `fansim run --inputs`, its convolutions with everything around them: poolings, maps
   in the accelerator's layout;
 * kernel: `window_bench`, the products alone, in each version of them beside oneDNN held to the same instructions: of any
   bytes, and of bytes below 128, where VPMADDUBSW, which oneDNN takes for all, is exact.
Rounds alternate; medians are printed.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HARNESS = pathlib.Path(__file__).resolve().parent / "onednn" / "convolutions.cpp"
ISAS = [("vnni", "AVX512_CORE_VNNI"), ("avx512", "AVX512_CORE"), ("avx2", "AVX2"), ("sse2", "SSE41")]
PICTURES = 4


def convolutions(network, chain):
    """Returns the shapes of a network's first convolutions and their multiply-accumulates; they and their poolings go to `chain`."""
    import yaml
    text = yaml.safe_load((ROOT / f"models/{network}.yaml").read_text())
    channels, height, width = text["input"]["shape"]
    shapes, products = [], 0
    for at, layer in enumerate(text["layers"]):
        kernel, padding = layer.get("kernel", 1), layer.get("padding", 0)
        stride = layer.get("stride", kernel if layer["type"] == "maxpool" else 1)
        if layer["type"] == "conv":
            filters, groups = layer["filters"], layer.get("groups", 1)
            shapes.append((channels, height, width, filters, kernel, stride, padding, groups))
        elif layer["type"] != "maxpool":
            text["layers"] = text["layers"][:at]
            break
        height, width = ((side + 2 * padding - kernel) // stride + 1 for side in (height, width))
        if layer["type"] == "conv":
            products += height * width * kernel * kernel * channels // groups * filters
            channels = filters
    chain.write_text(yaml.safe_dump(text))
    return shapes, products, text["input"]["shape"]


def onednn_seconds(harness, shapes, isa=None):
    environment = dict(os.environ, OMP_NUM_THREADS="1", **({"ONEDNN_MAX_CPU_ISA": isa} if isa else {}))
    lines = "".join(" ".join(map(str, shape)) + "\n" for shape in shapes)
    run = subprocess.run([harness], input=lines, capture_output=True, text=True, check=True, env=environment)
    return sum(map(float, run.stdout.split()))


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def npy(path, count, shape):
    """Draws random images of signed bytes."""
    header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({count}, {', '.join(map(str, shape))}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    size = count * shape[0] * shape[1] * shape[2]
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + os.urandom(size))


def picture_seconds(fansim, config, chain, files):
    few, many = (cpu_of([fansim, "run", config, chain, "--inputs", file, "--jobs", "1"]) for file in files)
    return (many - few) / (3 * PICTURES)


def kernel_rates(built):
    rates = {}
    for line in subprocess.run([built / "bench/window_bench"], capture_output=True, text=True, check=True).stdout.splitlines():
        version, _, _, rate, *_ = line.split()
        rates.setdefault((version, "below 128" in line), []).append(float(rate))
    return {version: statistics.median(values) for version, values in rates.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=pathlib.Path)
    parser.add_argument("--config", default="zcu102_stream")
    parser.add_argument("--network", default="vgg16")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        harness, chain = folder / "convolutions", folder / "chain.yaml"
        shapes, products, shape = convolutions(options.network, chain)
        subprocess.run(["g++", "-O2", "-std=c++17", HARNESS, "-ldnnl", "-o", harness], check=True)
        files = [folder / "few.npy", folder / "many.npy"]
        npy(files[0], PICTURES, shape), npy(files[1], 4 * PICTURES, shape)
        theirs, ours, kernels, held = [], [], [], []
        for _ in range(options.rounds):
            theirs.append(onednn_seconds(harness, shapes))
            ours.append(picture_seconds(options.built / "fansim", options.config, chain, files))
            kernels.append(kernel_rates(options.built))
            held.append([onednn_seconds(harness, shapes, isa) for _, isa in ISAS])

    rate = [products / statistics.median(seconds) / 1e9 for seconds in (theirs, ours)]
    print(f"{options.network} on {options.config}, {len(shapes)} convolutions, {products / 1e9:.2f} G multiply-accumulates")
    print(f"  oneDNN            {rate[0]:7.1f} G/s")
    beside = [products / statistics.median(seconds[i] for seconds in held) / 1e9 for i in range(len(ISAS))]
    versions = [i for i, (version, _) in enumerate(ISAS) if (version, False) in kernels[0]]
    print(f"  values            {rate[1]:7.1f} G/s  {rate[1] / rate[0]:.2f} of oneDNN"
          + (f", {rate[1] / beside[versions[0]]:.2f} with the same instructions" if versions else ""))
    for i in versions:
        for low, what in ((False, "any bytes"), (True, "bytes below 128")):
            kernel = statistics.median(rates[ISAS[i][0], low] for rates in kernels)
            print(f"  kernel, {ISAS[i][0]:<8}  {kernel:7.1f} G/s  {kernel / beside[i]:.2f} of oneDNN's {beside[i]:.1f} with these "
                  f"instructions, {what}")
    print(f"  kernel, plain     {statistics.median(rates['plain', False] for rates in kernels):7.1f} G/s")


if __name__ == "__main__":
    sys.exit(main())
