# SPDX-License-Identifier: Apache-2.0
"""outputs.py FANSIM SCHEMA: holds every JSON that the program writes to its definition in the schema."""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import jsonschema

fansim, schema_file = sys.argv[1:]
schema = json.loads(pathlib.Path(schema_file).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
folder = pathlib.Path(tempfile.mkdtemp(prefix="fansim_json_"))
seen = set()


def write(name, *command, option="--json"):
    file = folder / f"{len(seen)}_{name}.json"
    run = subprocess.run([fansim, *command, option, file], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1, 3), (command, run.stderr)
    return file


def holds(name, file):
    document = json.loads(file.read_text())
    one = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    jsonschema.Draft202012Validator(one).validate(document)
    # A schema that accepted anything would prove nothing.
    for broken in ({**document, "unknown": 1}, {k: v for k, v in document.items() if k != "schema"}):
        assert not jsonschema.Draft202012Validator(one).is_valid(broken), name
    seen.add(name)
    return file


def write_npy(name, code, shape, values):
    """Returns a .npy file of elements of struct's type `code`."""
    kind = {"b": "|i1", "f": "<f4"}[code]
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                                + struct.pack(f"<{len(values)}{code}", *values))
    return folder / name


RUNS = [("zcu102_stream", "lenet5", "--verify"), ("zcu102_stream", "tiny_functions"), ("faq_zcu102_dorefa8", "lenet5"),
        ("vision_zcu102", "edge", "--mapping"), ("zcu102_stream", "lstm256", "--timing-only", "--mapping"),
        ("zcu102_stream", "lenet5", "--timing-only", "--frames", "3"),
        ("zcu102_stream", "lenet5", "--timing-only", "--ranges"),
        ("zcu102_stream", "lstm256", "--timing-only", "--set", "host.sd_mb_per_s=20")]
runs = [holds("run", write("run", "run", *arguments)) for arguments in RUNS]
draw = random.Random(1)
pictures = write_npy("pictures.npy", "b", (2, 1, 28, 28), [draw.randint(-128, 127) for _ in range(2 * 784)])
labels = write_npy("labels.npy", "b", (2,), [3, 4])
holds("run", write("batch", "run", "zcu102_stream", "lenet5", "--inputs", pictures, "--labels", labels))
write_npy("w.npy", "f", (10, 16), [draw.gauss(0, 1) for _ in range(160)])
write_npy("b.npy", "f", (10,), [0.0] * 10)
floats = write_npy("x.npy", "f", (8, 1, 4, 4), [draw.random() for _ in range(128)])
(folder / "n.yaml").write_text("version: 1\nname: n\ninput: {shape: [1, 4, 4], type: float32}\nlayers:\n"
                               "- {name: f, type: fc, units: 10, weights: w.npy, bias: b.npy}\n")
holds("quality", write("quantise", "quantise", folder / "n.yaml", "--calibrate", floats, "-o", folder / "codes",
                       "--method", "all"))
holds("compare", write("compare", "compare", runs[0], runs[2]))
holds("compare", write("gated", "compare", runs[0], runs[0], "--fail-above", "cycles=0"))
holds("counters", write("counters", "run", "tiny_stream", "tiny_conv", option="--counters"))
for system in ("zcu102_stream", "faq_zcu102_bnn", "vision_zcu102", "float_trainer"):
    holds("estimate", write("estimate", "estimate", system))
holds("explore", write("explore", "explore", "tiny_stream", "tiny_conv"))
holds("sweep", write("sweep", "sweep", "zcu102_stream", "lenet5", "--vary", "axi.outstanding=1,99"))
holds("run", write("faults", "run", "tiny_stream", "tiny_conv", "--fault", "kind=slverr, at=ddr.read, nth=3"))
for kind in ("flip", "protocol"):
    holds("inject", write("inject", "inject", "tiny_stream", "tiny_conv", "--count", "6", "--kind", kind))
holds("reproduce", write("reproduce", "reproduce", "pg021"))
holds("headline_ranges", write("ranges", "reproduce", "faq", "--ranges"))
holds("train", write("train", "train", "float_trainer", "digits", "--images", "20"))
missing = {"run", "compare", "counters", "estimate", "explore", "sweep", "inject", "reproduce", "headline_ranges", "train",
           "quality"} - seen
assert not missing, missing
print("json: every output holds")
