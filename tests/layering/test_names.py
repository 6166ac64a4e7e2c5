# SPDX-License-Identifier: Apache-2.0
"""Checks that a test runs by the name that it prints: test_names.py TREE prints one line per name of a Catch2 test under
tests/ that cannot be handed to its program, or to CTest, as it is."""

import pathlib
import re
import sys

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
NAME = re.compile(rf"\b(?:[A-Z]+_)*(?:TEST_CASE(?:_[A-Z]+)*|SCENARIO(?:_[A-Z]+)*)\(\s*(?:[\w:]+\s*,\s*)?({LITERAL}(?:\s*{LITERAL})*)")
REASONS = {
    ",": 'Catch2 reads a comma as "or"',
    "[": "Catch2 reads a bracket as the start of a tag",
    "]": "Catch2 reads a bracket as the end of a tag",
    "*": "Catch2 reads an asterisk as any text",
    '"': "Catch2 reads a quotation mark as the start or end of a name",
    "\\": "Catch2 reads a backslash as the start of an escape",
    ";": "CMake reads a semicolon as the end of a list's item",
    "`": "a shell reads a backtick as the start of a command",
    "$": "a shell reads a dollar as the start of a variable",
}


def names(text):
    """(line, name) of every test case."""
    for match in NAME.finditer(text):
        parts = re.findall(LITERAL, match[1])
        yield text.count("\n", 0, match.start()) + 1, "".join(part[1:-1] for part in parts).replace('\\"', '"')


def check(tree):
    """Yields what is wrong."""
    for path in sorted((tree / "tests").rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        for line, name in names(path.read_text()):
            for letter, reason in REASONS.items():
                if letter in name:
                    yield f"{path.relative_to(tree)}:{line}: {name}: {reason}"


def main():
    violations = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
