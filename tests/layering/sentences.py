# SPDX-License-Identifier: Apache-2.0
"""Checks how sentences begin: sentences.py TREE prints one line per comment, and per sentence of a page, that begins with
"Of". Such a sentence has its subject last or not at all, and has to be read twice."""

import pathlib
import re
import sys

FOLDERS = ("src", "tests", "bench", "scripts", "cmake")
SUFFIXES = (".h", ".cpp", ".py", ".sh", ".cmake", ".txt", ".js", ".css", ".v", ".vh")
COMMENT = re.compile(r"(?://|#|/\*|\"\"\") ?Of\b")
CODE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(r"^(?:[ >#*|-]|\*\*)*Of\b|(?<=[.!?:]) +Of\b|(?<=[.!?:])\*\* +Of\b", re.MULTILINE)


def comments(text):
    """Yields the lines on which a comment begins with the word."""
    for number, line in enumerate(text.splitlines(), 1):
        if COMMENT.search(line):
            yield number


def sentences(text):
    """Yields the lines on which a sentence outside of blocks of code begins with the word."""
    text = CODE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
    for match in SENTENCE.finditer(text):
        continues = match[0].strip(" >") == "Of" and re.search(r"[^.!?:|\n]\n\Z", text[:match.start()])
        if not continues:
            yield text.count("\n", 0, match.start()) + 1


def check(tree):
    """Yields what is wrong."""
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and path.name != "sentences_test.py":
                for line in comments(path.read_text()):
                    yield f'{path.relative_to(tree)}:{line}: a comment begins with "Of"'
    for path in sorted(tree.glob("*.md")) + sorted((tree / "docs").glob("*.md")):
        for line in sentences(path.read_text()):
            yield f'{path.relative_to(tree)}:{line}: a sentence begins with "Of"'


def main():
    violations = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
