# SPDX-License-Identifier: Apache-2.0
"""Hands subjects and messages to scripts/commit_subject.sh: commit_subject_test.py TREE."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop()).resolve() / "scripts/commit_subject.sh"


def check(*arguments, text=None):
    return subprocess.run(["bash", SCRIPT, *arguments], input=text, capture_output=True, text=True, check=False)


class Subjects(unittest.TestCase):
    def test_72_characters_are_taken_and_73_refused(self):
        self.assertEqual(0, check(text="é" * 72 + "\nShort\n").returncode)
        refused = check(text="Short\n" + "é" * 73 + "\n")
        self.assertEqual((1, f"commit subject beyond 72 characters: {'é' * 73}\n"), (refused.returncode, refused.stderr))

    def test_no_commit_has_no_subject(self):
        self.assertEqual(0, check(text="").returncode)

    def test_of_a_message_the_first_line_counts(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as message:
            message.write("Short\n\n" + "x" * 90 + "\n")
            message.flush()
            self.assertEqual(0, check(message.name).returncode)
            message.seek(0)
            message.write("y" * 90 + "\n")
            message.flush()
            self.assertEqual(1, check(message.name).returncode)


if __name__ == "__main__":
    unittest.main()
