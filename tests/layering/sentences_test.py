# SPDX-License-Identifier: Apache-2.0
"""Plants one sentence at a time that begins with "Of" and expects the check to name it."""

import pathlib
import tempfile
import unittest

import sentences


class PlantedSentence(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def expect(self, file, text, *lines):
        path = self.tree / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        what = "a sentence" if file.endswith(".md") else "a comment"
        self.assertEqual([f'{file}:{line}: {what} begins with "Of"' for line in lines], list(sentences.check(self.tree)))
        path.unlink()

    def test_sentences_that_begin_otherwise(self):
        self.expect("src/base/sum.h", "// Returns the sum of\n// of values.\nint sum();  // of all values\nint Of();\n")
        self.expect("docs/sums.md", "# Sums\n\nThe sum is that of all values, not\nof one. A word Of no sentence.\n\n| of | a |\n")

    def test_comments_of_every_language(self):
        for file, mark in (("src/base/sum.h", "//"), ("tests/base/sum_test.cpp", "  //"), ("tests/rtl/sum.v", "    //"),
                           ("src/report/pages/sum.js", "//"), ("scripts/sum.py", "#"), ("scripts/sum.sh", "#"),
                           ("cmake/sum.cmake", "#"), ("bench/CMakeLists.txt", "  #"), ("src/report/pages/sum.css", "/*"),
                           ("tests/layering/sum.py", '    """')):
            with self.subTest(file):
                self.expect(file, f"\n{mark} Of all values the sum.\n".replace('""" ', '"""'), 2)

    def test_a_comment_behind_code_and_one_that_goes_on(self):
        self.expect("src/base/sum.h", "int sum();  // Of all values.\n", 1)
        self.expect("src/base/sum.h", "// Sums.\n// Of all values the sum.\n", 2)

    def test_sentences_of_a_page(self):
        self.expect("docs/sums.md", "# Of sums\n\nOf all values the sum.\n", 1, 3)
        self.expect("README.md", "Sums are shown. Of all values the sum\nis the last.\nOf others none is.\n", 1, 3)
        self.expect("docs/sums.md", "* Of all values the sum.\n* **Sums.** Of all values.\n\n| a | b |\n|---|---|\n| Of | b |\n",
                    1, 2, 6)

    def test_what_continues_a_sentence_or_is_code(self):
        self.expect("docs/sums.md", "The book is called Sums\nOf Values.\n\n```\nOf code nothing is said.\n```\n")


if __name__ == "__main__":
    unittest.main()
