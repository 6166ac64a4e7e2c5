# SPDX-License-Identifier: Apache-2.0
"""Checks that every array of the twins is held to its ports: memories.py TREE prints one line per violation. An array has
a SINGLE_PORT or SIMPLE_DUAL_PORT (tests/rtl/memory_ports.vh) with a bit for each place of the code that writes or reads
it, or a comment behind its declaration: `registers`, `constants`, `ports: FILE`, where the module that has it asks, or
`no ports: ` and why."""

import pathlib
import re
import sys

RTL = pathlib.Path("tests/rtl")
ARRAY = re.compile(r"\breg\b[^;]*?;[^\n]*")
NAME = re.compile(r"\b(\w+)\s*\[[^\[\]]*:[^\[\]]*\](?=\s*[,;])")
PORTS = re.compile(r"`(?:SINGLE_PORT|SIMPLE_DUAL_PORT)\(")
COMMENT = re.compile(r"//.*")
EXCUSE = re.compile(r"// (?:registers|constants|no ports: .+|ports: (\w+\.v))$")


def closing(text, at):
    """Returns the place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    return len(text)


def parts(text):
    """Returns what stands between the commas outside of brackets."""
    depth, found = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def bits(text):
    """Returns the number of bits of an expression, which may be a concatenation."""
    return len(parts(text[1:-1])) if text.startswith("{") and closing(text, 0) == len(text) else 1


def take_ports(code):
    """Returns {memory: (bits that write, bits that read)}, and the code without them."""
    ports = {}
    while match := PORTS.search(code):
        end = closing(code, match.end() - 1)
        memory, writes, reads, _ = parts(code[match.end():end - 1])
        ports[memory] = bits(writes), bits(reads)
        code = code[:match.start()] + code[end:]
    return ports, code


def places(code, array):
    """Returns how many places write the array and how many read it."""
    writes = reads = 0
    for match in re.finditer(rf"\b{array}\[", code):
        behind = code[closing(code, match.end() - 1):]
        written = re.match(r"\s*(?:\[[^;]*?\]\s*)?<=", behind) and re.search(r"(?:\)|;|\bbegin|\belse)\s*$", code[:match.start()])
        writes, reads = writes + bool(written), reads + (not written)
    return writes, reads


def check_file(path, ports_of):
    text = path.read_text()
    ports, code = take_ports(re.sub(COMMENT, "", text))
    code = re.sub(r"\binitial\b[^;]*;[^;]*;[^;]*;", "", ARRAY.sub(lambda found: re.sub(NAME, "", found[0]), code))
    for declaration in ARRAY.findall(text):
        head, _, comment = declaration.partition("//")
        for array in NAME.findall(re.sub(r"^\s*reg\s*(signed\s*)?\[[^\]]*\]", "reg", head)):
            if array in ports:
                for kind, has, needs in zip(("writes", "reads"), ports[array], places(code, array)):
                    if has < needs:
                        yield f"{array}: {has} of {needs} {kind} are among its ports"
                continue
            excuse = EXCUSE.match(f"//{comment}") if comment else None
            if not excuse:
                yield f"{array} is held to no ports"
            elif excuse[1] and array not in ports_of(excuse[1]):
                yield f"{excuse[1]} does not hold {array} to its ports"


def check(tree):
    """Yields what is wrong."""
    folder = tree / RTL
    def ports_of(name):
        return take_ports(re.sub(COMMENT, "", (folder / name).read_text()))[0]
    for path in sorted(folder.glob("*.v")):
        yield from (f"{RTL / path.name}: {violation}" for violation in check_file(path, ports_of))


def main():
    violations = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
