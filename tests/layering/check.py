# SPDX-License-Identifier: Apache-2.0
"""Checks the source tree against the floor plan in rooms.txt: check.py TREE. Prints one line per violation."""

import pathlib
import re
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
LONG_FILE = 400  # lines
CPP = {".h", ".cpp"}
LINE_COMMENT = {".h": "//", ".cpp": "//", ".cmake": "#", ".txt": "#", ".py": "#", ".sh": "#",
                ".v": "//", ".vh": "//"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
SYSTEMC = re.compile(r"(systemc|tlm)(\.h)?$|(sysc|tlm_core|tlm_utils)/")
NAMESPACE = re.compile(r"^\s*(?:inline\s+)?namespace\s+fansim(?:::(\w+))?", re.MULTILINE)
ENTRY = re.compile(r"^int (?:sc_)?main\(", re.MULTILINE)
LINK = re.compile(r"fansim_room\((\w+) LINK ([^)]*)\)")


class Room:
    def __init__(self, line):
        self.name, kind, *self.may_include = line.split()
        self.systemc = kind == "systemc"

    def allows(self, other):
        return other == self.name or other in self.may_include or "*" in self.may_include


def read_rooms():
    lines = pathlib.Path(__file__).with_name("rooms.txt").read_text().splitlines()
    rooms = [Room(line) for line in lines if line and not line.startswith("#")]
    return {room.name: room for room in rooms}


def room_of(path):
    """Room of a file named relative to src/."""
    folder, stem = path.parts[0], path.stem
    return "primitives_pins" if folder == "primitives" and stem.endswith("_pins") else folder


def check_includes(path, text, rooms):
    room = rooms[room_of(path)]
    for ours, theirs in INCLUDE.findall(text):
        if theirs:
            if SYSTEMC.match(theirs) and not room.systemc:
                yield f"{room.name} is pure and may not include <{theirs}>"
            continue
        target = room_of(pathlib.PurePath(ours)) if "/" in ours else None
        if target not in rooms:
            yield f'"{ours}" is not written as "room/file.h"'
        elif not room.allows(target):
            yield f'{room.name} may not include {target} ("{ours}")'


def check_namespace(path, text):
    folder = path.parts[0]
    opened = NAMESPACE.findall(text)
    if not opened and not ENTRY.search(text):
        yield f"namespace fansim::{folder} is missing"
    for name in opened:
        if name != folder:
            yield f"namespace fansim::{name} in the folder of fansim::{folder}"


def check_links(text, rooms):
    """A room's link line names only rooms it may include."""
    for name, links in LINK.findall(text):
        if name not in rooms:
            yield f"room {name} is not in the floor plan"
            continue
        for other in links.split():
            if other in rooms and not rooms[name].allows(other):
                yield f"{name} may not link {other}"


def has_spdx(text, suffix):
    lines = [line for line in text.splitlines()[:2] if not line.startswith("#!")]
    return bool(lines) and lines[0] == f"{LINE_COMMENT[suffix]} {SPDX}"


def code_files(tree):
    for folder in ("src", "tests", "bench", "scripts", "cmake"):
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in LINE_COMMENT and (path.suffix != ".txt" or path.name == "CMakeLists.txt"):
                yield path


def check_source(path, text, rooms):
    """Violations of one C++ file named relative to src/."""
    if len(path.parts) < 2 or path.parts[0] not in rooms:
        yield "is in no room of the floor plan"
        return
    yield from check_includes(path, text, rooms)
    yield from check_namespace(path, text)


def check_tree(tree):
    """Yields (file, violation) for the whole tree."""
    rooms = read_rooms()
    src = tree / "src"
    for path in code_files(tree):
        text = path.read_text()
        found = []
        if not has_spdx(text, path.suffix):
            found.append("the first line is not the SPDX line")
        if path.suffix in CPP and src in path.parents:
            found += check_source(path.relative_to(src), text, rooms)
        elif path == src / "CMakeLists.txt":
            found += check_links(text, rooms)
        for violation in found:
            yield path.relative_to(tree), violation


def long_files(tree):
    for path in sorted((tree / "src").rglob("*")):
        if path.suffix in CPP:
            lines = len(path.read_text().splitlines())
            if lines > LONG_FILE:
                yield path.relative_to(tree), lines


def main():
    tree = pathlib.Path(sys.argv[1]).resolve()
    for path, lines in long_files(tree):
        print(f"{path}: warning: {lines} lines, split at {LONG_FILE}")
    violations = list(check_tree(tree))
    for path, violation in violations:
        print(f"{path}: {violation}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
