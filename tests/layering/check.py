# SPDX-License-Identifier: Apache-2.0
"""Checks the source tree against the floor plan in src/rooms.txt: check.py TREE prints one line per violation.
check.py --table prints the plan as docs/architecture.md shows it."""

import pathlib
import re
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
LONG_FILE = 400  # lines
LARGE_ROOM = 3000  # lines
CPP = {".h", ".cpp"}
LINE_COMMENT = {".h": "//", ".cpp": "//", ".cmake": "#", ".txt": "#", ".py": "#", ".sh": "#",
                ".v": "//", ".vh": "//"}

PLAN = pathlib.Path("src/rooms.txt")
ACCELERATORS = "accelerators"
REGISTRY = "registry"
CLOCKED = {"sim", "axi", "memory", "blocks", "platform"}  # and the hardware of each accelerator
FAST_ENGINE = "timing"  # its rooms hold recurrences and shortcuts
PAGE = pathlib.Path("docs/architecture.md")
MARKS = ("<!-- rooms -->\n", "<!-- /rooms -->\n")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
SYSTEMC = re.compile(r"(systemc|tlm)(\.h)?$|(sysc|tlm_core|tlm_utils)/")
NAMESPACE = re.compile(r"^\s*(?:inline\s+)?namespace\s+fansim(?:::(\w+))?", re.MULTILINE)
# Matches a namespace that only names classes of another room.
NAMES_CLASSES = re.compile(r"^namespace fansim::(\w+) \{\n(?:(?:class|struct) \w+;\n)+\}.*\n", re.MULTILINE)
ENTRY = re.compile(r"^int (?:sc_)?main\(", re.MULTILINE)


def wing_of(room):
    """Returns the accelerator that a room belongs to; None: it is no accelerator's."""
    parts = room.split("/")
    return parts[1] if parts[0] == ACCELERATORS and len(parts) > 1 and parts[1] != REGISTRY else None


def namespace_of(room):
    return wing_of(room) or room.split("/")[0]


def is_clocked(room):
    """Returns whether a room's blocks step from clock edge to clock edge."""
    return room.split("/")[0] in CLOCKED or room.split("/")[-1] == "hardware"


def is_fast_engine(room):
    return FAST_ENGINE in room.split("/")


class Room:
    def __init__(self, line, before):
        self.name, kind, self.what, may_include = (cell.strip() for cell in line.split("|"))
        self.systemc = kind == "systemc"
        self.all = may_include == "*"
        self.may_include = list(before) if self.all else may_include.split()

    def allows(self, other):
        return other == self.name or other in self.may_include


class Plan:
    """Holds the rooms in their order."""

    def __init__(self, text):
        self.rooms = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                room = Room(line, self.rooms)
                self.rooms[room.name] = room

    def room_of(self, path):
        """Returns the room of a file named relative to src/, the innermost that has it; None: it is in none."""
        for folder in path.parents:
            if str(folder) in self.rooms:
                return self.rooms[str(folder)]
        return None

    def table(self):
        lines = ["| room | what lives there | may include |", "|---|---|---|"]
        for room in self.rooms.values():
            may_include = "every room above" if room.all else ", ".join(room.may_include)
            lines.append(f"| {room.name} | {room.what} | {may_include} |".replace("|  |", "| |"))
        return "\n".join(lines) + "\n"

    def reached(self, name):
        """Returns the rooms that a room sees, directly or through another."""
        found, open_ends = set(), [name]
        while open_ends:
            room = self.rooms.get(open_ends.pop())
            new = set(room.may_include) - found if room else set()
            found |= new
            open_ends += new
        return found

    def violations(self):
        """Yields what is wrong with the plan itself."""
        stands = set()
        for room in self.rooms.values():
            for other in room.may_include:
                seen = self.room_of(pathlib.PurePath(other)) if other.endswith(".h") else self.rooms.get(other)
                if seen is None:
                    yield f"{room.name} may include {other}, which is no room"
                elif seen.name not in stands:
                    yield f"{room.name} may include {other}, which does not stand before it"
                elif seen.systemc and not room.systemc:
                    yield f"{room.name} is pure and may include {other}, which is not"
                elif wing_of(room.name) and wing_of(seen.name) not in (None, wing_of(room.name)):
                    yield f"{room.name} may include {other}, an accelerator's of another kind"
            if is_clocked(room.name):
                for other in sorted(filter(is_fast_engine, self.reached(room.name))):
                    yield f"{room.name} is clocked and reaches {other}, which is the fast engine's"
            stands.add(room.name)


def room_files(src, plan):
    """Yields (path, room) of every C++ file that is in a room."""
    for path in sorted(src.rglob("*")):
        room = plan.room_of(path.relative_to(src)) if path.suffix in CPP else None
        if room:
            yield path, room


def check_includes(text, room, plan):
    for ours, theirs in INCLUDE.findall(text):
        if theirs:
            if SYSTEMC.match(theirs) and not room.systemc:
                yield f"{room.name} is pure and may not include <{theirs}>"
            continue
        target = plan.room_of(pathlib.PurePath(ours)) if "/" in ours else None
        if target is None:
            yield f'"{ours}" is not written as "room/file.h"'
        elif wing_of(room.name) and wing_of(target.name) not in (None, wing_of(room.name)):
            yield f'{room.name} sees an accelerator of another kind ("{ours}")'
        elif not room.allows(target.name) and ours not in room.may_include:
            yield f'{room.name} may not include {target.name} ("{ours}")'


def check_namespace(text, room, plan):
    """A file opens its own room's namespace, and others only to name classes of rooms before its own."""
    names = list(plan.rooms)
    before = {namespace_of(name) for name in names[:names.index(room.name)]}
    for name in NAMES_CLASSES.findall(text):
        if name not in before and name != namespace_of(room.name):
            yield f"{room.name} names classes of fansim::{name}, which does not stand before it"
    opened = NAMESPACE.findall(NAMES_CLASSES.sub("", text))
    own = namespace_of(room.name)
    if not opened and not ENTRY.search(text):
        yield f"namespace fansim::{own} is missing"
    for name in opened:
        if name != own:
            yield f"namespace fansim::{name} in a room of fansim::{own}"


def check_needless(src, plan):
    """Yields rooms and headers that the plan lets a room include and that none of its files includes."""
    included = {name: set() for name in plan.rooms}
    for path, room in room_files(src, plan):
        for ours, _ in INCLUDE.findall(path.read_text()):
            target = plan.room_of(pathlib.PurePath(ours))
            included[room.name] |= {ours, target.name if target else ""}
    for room in plan.rooms.values():
        for other in [] if room.all else room.may_include:
            if other not in included[room.name]:
                yield f"{room.name} may include {other} and does not"


def check_page(text, plan):
    """The page shows the plan."""
    begin, end = (text.find(mark) for mark in MARKS)
    if begin < 0 or end < begin:
        yield f"has no {MARKS[0].strip()} ... {MARKS[1].strip()}"
    elif text[begin + len(MARKS[0]):end].strip("\n") + "\n" != plan.table():
        yield "the table of rooms is not that of src/rooms.txt; see check.py --table"


def has_spdx(text, suffix):
    lines = [line for line in text.splitlines()[:2] if not line.startswith("#!")]
    return bool(lines) and lines[0] == f"{LINE_COMMENT[suffix]} {SPDX}"


def code_files(tree):
    for folder in ("src", "tests", "bench", "scripts", "cmake"):
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in LINE_COMMENT and (path.suffix != ".txt" or path.name == "CMakeLists.txt"):
                yield path


def check_source(path, text, plan):
    """Yields violations of one C++ file named relative to src/."""
    room = plan.room_of(path)
    if room is None:
        yield "is in no room of the floor plan"
        return
    yield from check_includes(text, room, plan)
    yield from check_namespace(text, room, plan)


def check_tree(tree):
    """Yields (file, violation) for the whole tree."""
    src = tree / "src"
    plan = Plan((tree / PLAN).read_text())
    for violation in list(plan.violations()) or check_needless(src, plan):
        yield PLAN, violation
    for violation in check_page((tree / PAGE).read_text(), plan):
        yield PAGE, violation
    for path in code_files(tree):
        text = path.read_text()
        found = []
        if not has_spdx(text, path.suffix):
            found.append("the first line is not the SPDX line")
        if path.suffix in CPP and src in path.parents:
            found += check_source(path.relative_to(src), text, plan)
        for violation in found:
            yield path.relative_to(tree), violation


def warnings(tree):
    """Yields (file, advice): files and rooms that hold more than one person keeps in mind."""
    src = tree / "src"
    of_room = {}
    for path, room in room_files(src, Plan((tree / PLAN).read_text())):
        lines = len(path.read_text().splitlines())
        of_room[room.name] = of_room.get(room.name, 0) + lines
        if lines > LONG_FILE:
            yield path.relative_to(tree), f"{lines} lines, split at {LONG_FILE}"
    for name, lines in of_room.items():
        if lines > LARGE_ROOM:
            yield PLAN, f"{name} has {lines} lines, more than {LARGE_ROOM}"


def main():
    if sys.argv[1] == "--table":
        print(Plan((pathlib.Path(__file__).parents[2] / PLAN).read_text()).table(), end="")
        return 0
    tree = pathlib.Path(sys.argv[1]).resolve()
    for path, advice in warnings(tree):
        print(f"{path}: warning: {advice}")
    violations = list(check_tree(tree))
    for path, violation in violations:
        print(f"{path}: {violation}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
