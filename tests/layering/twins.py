# SPDX-License-Identifier: Apache-2.0
"""Checks docs/twins.md against the sources: twins.py TREE prints one line per violation. Every SystemC module of src/ and
every vendor primitive has one row, with its Verilog twin, whose lock-step test includes it, or with the reason why it has
none; every lock-step test is named."""

import pathlib
import re
import sys

PAGE = pathlib.Path("docs/twins.md")
RTL = pathlib.Path("tests/rtl")
CATALOGUE = pathlib.Path("primitives/catalogue.cpp")
KIT = "sim"  # modules that others are made of, and the scheduler
ROOTS = {"sc_module", "Module", "PinModule"}

CLASS = re.compile(r"^(?:class|struct) ([\w:]+)(?: final)?\s*:\s*([^{;]*)\{", re.MULTILINE)
BASE = re.compile(r"(?:public|private|protected)\s+([\w:]+)")
ROW = re.compile(r"^\| `(?P<name>[\w:]+)` \| `(?P<file>[\w/.]+)` \| (?P<twin>[^|]*) \|$", re.MULTILINE)
TWIN = re.compile(r"`(\w+)`$")
PRIMITIVE = re.compile(r"primitive<(\w+)(?:<\w+>)?>\(")
NAMED = re.compile(r"`(\w+)`")
ADDED = re.compile(r"^fansim_(?:twin|cosim)\((\w+)", re.MULTILINE)


def classes(src):
    """Returns (name, file) -> names of its bases, for every class at the top of a file."""
    found = {}
    for path in sorted(src.rglob("*")):
        if path.suffix in (".h", ".cpp"):
            for name, bases in CLASS.findall(path.read_text()):
                found[name, str(path.relative_to(src))] = {base.split("::")[-1] for base in BASE.findall(bases)}
    return found


def modules(src):
    """Returns (name, file) of every SystemC module, itself or by its bases."""
    all_classes = classes(src)
    kinds = set(ROOTS)
    while True:
        more = {name.split("::")[-1] for (name, _), bases in all_classes.items() if bases & kinds} - kinds
        if not more:
            return {key for key, bases in all_classes.items() if bases & kinds and not key[1].startswith(f"{KIT}/")}
        kinds |= more


def check_twin(tree, name, file, twin, added):
    if not (tree / RTL / f"{twin}.v").exists() and not (tree / RTL / "models" / f"{twin}.v").exists():
        yield f"{name}: there is no tests/rtl/{twin}.v"
    test = tree / RTL / "cosim" / f"{twin}.cpp"
    if not test.exists() or twin not in added:
        yield f"{name}: no lock-step test of {twin} is built"
    elif f'#include "{file}"' not in test.read_text():
        yield f"{name}: tests/rtl/cosim/{twin}.cpp does not include {file}"


def defines(path, name):
    defined = rf"^(?:class|struct) {name}\b[^;]*\{{|^using {name} ="
    return path.exists() and re.search(defined, path.read_text(), re.MULTILINE)


def check(tree):
    """Yields what is wrong."""
    src, page = tree / "src", (tree / PAGE).read_text()
    added = set(ADDED.findall((tree / RTL / "CMakeLists.txt").read_text()))
    rows = {}
    for row in ROW.finditer(page):
        key = row["name"], row["file"]
        if key in rows:
            yield f"{row['name']} has two rows"
        rows[key] = row["twin"]
    for name, file in sorted(modules(src) - rows.keys()):
        yield f"{name} of src/{file} has no row"
    for name in sorted(set(PRIMITIVE.findall((src / CATALOGUE).read_text())) - {name for name, _ in rows}):
        yield f"the primitive {name} has no row"
    for (name, file), twin in rows.items():
        named = TWIN.match(twin)
        if not defines(src / file, name):
            yield f"{name} is not defined in src/{file}"
        elif named:
            yield from check_twin(tree, name, file, named[1], added)
        elif not twin.startswith("without: "):
            yield f"{name}: neither a twin nor 'without: ' and a reason"
    for test in sorted(added - set(NAMED.findall(page))):
        yield f"the lock-step test of {test} is not named"


def main():
    violations = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(f"{PAGE}: {violation}" for violation in violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
