# SPDX-License-Identifier: Apache-2.0
"""Plants one test at a time whose name does not run it and expects the check to name it."""

import pathlib
import tempfile
import unittest

import test_names

FILE = "tests/arith/sum_test.cpp"


class PlantedName(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def expect(self, text, *violations):
        path = self.tree / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// sums\n" + text)
        self.assertEqual([f"{FILE}:2: {violation}" for violation in violations], list(test_names.check(self.tree)))

    def test_a_sentence_is_a_name(self):
        self.expect('TEST_CASE("a sum of 2^32 (by hand): 5 % less and \'wrapped\'") { REQUIRE(f(1, 2) == "a, b"); }\n')
        self.expect('TEST_CASE("a sum", "[slow]") {\n  SECTION("of one, two") {}\n}\n')

    def test_a_comma(self):
        self.expect('TEST_CASE("a sum, wrapped") {}\n', 'a sum, wrapped: Catch2 reads a comma as "or"')

    def test_a_name_on_its_own_line_and_in_parts(self):
        self.expect('TEST_CASE(\n    "a sum,"\n    " wrapped") {}\n', 'a sum, wrapped: Catch2 reads a comma as "or"')

    def test_every_kind_of_test_case(self):
        violation = 'a, b: Catch2 reads a comma as "or"'
        self.expect('TEST_CASE_METHOD(Fixture, "a, b") {}\n', violation)
        self.expect('TEMPLATE_TEST_CASE("a, b", "[tag]", int, float) {}\n', violation)
        self.expect('TEMPLATE_TEST_CASE_METHOD(base::Fixture, "a, b", "", int) {}\n', violation)
        self.expect('SCENARIO("a, b") {}\n', violation)

    def test_what_else_is_read_as_something_else(self):
        self.expect('TEST_CASE("a[3] \\"b\\"") {}\n',
                    'a[3] "b": Catch2 reads a bracket as the start of a tag',
                    'a[3] "b": Catch2 reads a bracket as the end of a tag',
                    'a[3] "b": Catch2 reads a quotation mark as the start or end of a name')
        self.expect('TEST_CASE("a * b; `c` $d") {}\n',
                    "a * b; `c` $d: Catch2 reads an asterisk as any text",
                    "a * b; `c` $d: CMake reads a semicolon as the end of a list's item",
                    "a * b; `c` $d: a shell reads a backtick as the start of a command",
                    "a * b; `c` $d: a shell reads a dollar as the start of a variable")
        self.expect('TEST_CASE("a \\\\ b") {}\n', "a \\\\ b: Catch2 reads a backslash as the start of an escape")

    def test_a_tree_without_tests_is_clean(self):
        self.assertEqual([], list(test_names.check(self.tree)))


if __name__ == "__main__":
    unittest.main()
