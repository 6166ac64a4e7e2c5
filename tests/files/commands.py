# SPDX-License-Identifier: Apache-2.0
"""Every command that writes files, what it reads and what it leaves: for killed.py and storage.py."""
import dataclasses
import os
import pathlib
import random
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
REPORT = HERE.parent / "cli" / "reports" / "hierarchical.rpt"
MODEL = pathlib.Path("/usr/share/libonnx-testdata/data/pytorch-converted/test_Conv2d/model.onnx")
OLDER = b"older\n"
SHARED = ("explore", "tiny_stream", "tiny_conv", "--jobs", "1", "--dir", "shared", "--shard")


@dataclasses.dataclass
class Command:
    name: str
    words: tuple
    files: tuple = ()  # each its own: what it was, or all of the new
    sets: tuple = ()  # folders whose files belong together by one that names the others: (folder, that one)
    kept: tuple = ()  # what a killed one goes on from: not compared, not there at first
    before: tuple = ()  # commands
    after: tuple = ()  # commands that make `files` of what is kept
    needs: tuple = ()  # files of the machine's

    def can_run(self):
        return all(pathlib.Path(file).exists() for file in self.needs)

    def written(self):
        return [*self.files, *(folder for folder, _ in self.sets), *self.kept]


def write_npy(path, code, shape, values):
    """Returns a .npy file of elements of struct's type `code`."""
    head = f"{{'descr': '{dict(b='|i1', f='<f4')[code]}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                     + struct.pack(f"<{len(values)}{code}", *values))


def write_inputs(folder):
    """Writes what the commands read, which they see as ../in."""
    draw = random.Random(1)
    folder.mkdir()
    write_npy(folder / "x.npy", "b", (2, 1, 28, 28), [draw.randint(-128, 127) for _ in range(2 * 784)])
    write_npy(folder / "w.npy", "f", (10, 16), [draw.gauss(0, 1) for _ in range(160)])
    write_npy(folder / "f.npy", "f", (1, 16, 1, 1), [draw.gauss(0, 1) for _ in range(16)])
    (folder / "floats.yaml").write_text("version: 1\nname: f\ninput: {shape: [16, 1, 1], type: float32}\nlayers:\n"
                                        "  - {name: fc, type: fc, units: 10, weights: w.npy}\n")
    (folder / "lut.csv").write_text("I0,I1,I2,I3,I4,I5\n" + "0,1,0,1,0,1\n1,1,0,0,1,0\n" * 40)
    (folder / "array.cfg").write_text("[general]\nrun_name = a\n[architecture_presets]\nArrayHeight: 8\nArrayWidth: 8\n"
                                      "IfmapSramSzkB: 64\nFilterSramSzkB: 64\nOfmapSramSzkB: 64\nDataflow: ws\n"
                                      "Bandwidth: 10\n[run_presets]\nInterfaceBandwidth: USER\n")


COMMANDS = [
    Command("run", ("run", "tiny_stream", "tiny_conv", "--json", "r.json", "--csv", "r.csv", "--html", "r.html",
                    "--counters", "c.json", "--out", "o.npy"), ("r.json", "r.csv", "r.html", "c.json", "o.npy")),
    Command("waveform", ("run", "tiny_stream", "tiny_conv", "--vcd", "w.vcd", "--timeline", "t.json"),
            ("w.vcd", "t.json")),
    Command("dump", ("run", "tiny_stream", "tiny_conv", "--dump", "d"), ("d/conv1.npy", "d/fc6.npy")),
    Command("batch", ("run", "tiny_stream", "lenet5", "--inputs", "../in/x.npy", "--jobs", "2", "--dump", "d", "--json",
                      "b.json"), ("b.json", "d/fc5.npy")),
    Command("estimate", ("estimate", "tiny_stream", "--json", "e.json"), ("e.json",)),
    Command("sweep", ("sweep", "tiny_stream", "tiny_conv", "--vary", "host.dma_setup=0,50", "--csv", "s.csv", "--json",
                      "s.json", "--html", "s.html"), ("s.csv", "s.json", "s.html")),
    Command("explore", ("explore", "tiny_stream", "tiny_conv", "--jobs", "1", "--resume", "s.db", "--csv", "f.csv"),
            ("f.csv",), kept=("s.db",)),
    Command("inject", ("inject", "tiny_stream", "tiny_conv", "--count", "6", "--jobs", "2", "--resume", "i.db", "--json",
                       "i.json", "--csv", "i.csv", "--html", "i.html"), ("i.json", "i.csv", "i.html"), kept=("i.db",)),
    Command("shard", (*SHARED, "1/2"), ("f.csv",), kept=("shared",), before=((*SHARED, "2/2"),),
            after=(("explore", "merge", "shared", "--csv", "f.csv"),)),
    Command("merge", ("explore", "merge", "shared", "--csv", "f.csv", "--html", "f.html", "--json", "f.json"),
            ("f.csv", "f.html", "f.json"), before=((*SHARED, "1/2"), (*SHARED, "2/2"))),
    Command("train", ("train", "float_trainer", "digits", "--images", "100", "--epochs", "2", "--checkpoint", "w.ckpt"),
            kept=("w.ckpt",)),
    Command("import", ("import", str(MODEL), "-o", "m"), sets=(("m", "network.yaml"),), needs=(MODEL,)),
    Command("import array", ("import", "../in/array.cfg", "-o", "m"), sets=(("m", "a.yaml"),)),
    Command("quantise", ("quantise", "../in/floats.yaml", "--calibrate", "../in/f.npy", "-o", "q", "--method", "dorefa",
                         "--json", "q.json", "--csv", "q.csv"), ("q.json", "q.csv"), sets=(("q/dorefa", "network.yaml"),)),
    Command("reproduce", ("reproduce", "wp490", "--json", "p.json", "--html", "p.html"), ("p.json", "p.html")),
    Command("drive", ("drive", "LUT6_2", "../in/lut.csv", "--out", "o.csv", "--vcd", "w.vcd"), ("o.csv", "w.vcd")),
    Command("calibrate", ("calibrate", str(REPORT), "-o", "device.yaml"), ("device.yaml",)),
    Command("compare", ("compare", "a.json", "b.json", "--json", "c.json", "--html", "c.html"), ("c.json", "c.html"),
            before=(("run", "tiny_stream", "tiny_conv", "--json", "a.json"),
                    ("run", "tiny_stream", "tiny_conv", "--set", "host.dma_setup=0", "--json", "b.json"))),
]


class Bench:
    """Runs one command in folders of a scratch one: each has `at`, where it runs, beside the inputs."""

    def __init__(self, fansim, command, scratch):
        self.fansim, self.command = os.path.abspath(fansim), command
        self.at, self.temporary = scratch / "at", scratch / "tmp"
        self.at.mkdir(), self.temporary.mkdir()
        write_inputs(scratch / "in")

    def run(self, words, wrapped=(), **more):
        return subprocess.run([*wrapped, self.fansim, *words], cwd=self.at, capture_output=True, text=True, check=False,
                              env={**os.environ, "TMPDIR": str(self.temporary)}, **more)

    def must(self, words):
        done = self.run(words)
        assert done.returncode in (0, 1, 3), f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"

    def finish(self):
        """Runs the command as it is meant, to its end."""
        self.must(self.command.words)
        for words in self.command.after:
            self.must(words)

    def contents(self, root=None):
        """Returns the bytes of every file by name."""
        root = root or self.at
        return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    def make_older(self, names):
        """Puts something else under all names that the command gives, except those that it continues from."""
        kept = [name for name in self.command.kept]
        for name in names:
            if any(name == one or name.startswith((one + "/", one + "-")) for one in kept):
                continue
            path = self.at / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(OLDER)
