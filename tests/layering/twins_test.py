# SPDX-License-Identifier: Apache-2.0
"""Plants one hole at a time in a small tree with its page and expects the check to name it."""

import pathlib
import tempfile
import unittest

import twins

PAGE = """\
| module | file | twin |
|---|---|---|
| `Tree` | `blocks/tree.h` | `tree` |
| `Host` | `platform/host.h` | without: software |
| `Slice` | `primitives/slice.h` | without: not written |
"""


class PlantedHole(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.plant("docs/twins.md", PAGE)
        self.plant("src/sim/module.h", "class Module : public sc_core::sc_module {\n};\n")
        self.plant("src/blocks/tree.h", "class Tree final : public sim::Module {\n};\n")
        self.plant("src/platform/host.h", "class Host final : public sim::Module {\n};\n")
        self.plant("src/primitives/slice.h", "class Slice {\n};\n")
        self.plant("src/primitives/catalogue.cpp", 'primitive<Slice>("SLICE", "a slice")\n')
        self.plant("tests/rtl/tree.v", "module tree; endmodule\n")
        self.plant("tests/rtl/cosim/tree.cpp", '#include "blocks/tree.h"\n')
        self.plant("tests/rtl/CMakeLists.txt", "fansim_twin(tree LINK blocks)\n")

    def plant(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def expect(self, *violations):
        self.assertEqual(list(violations), list(twins.check(self.tree)))

    def test_a_good_page_is_clean(self):
        self.expect()

    def test_a_new_module_without_a_row_is_caught(self):
        self.plant("src/axi/dma.h", "class Dma final : public sim::Module,\n                  public Port {\n};\n")
        self.expect("Dma of src/axi/dma.h has no row")

    def test_a_module_by_its_base_is_a_module(self):
        self.plant("src/blocks/wide.h", "template <class T>\nclass Wide : public Tree {\n};\n")
        self.expect("Wide of src/blocks/wide.h has no row")

    def test_a_new_primitive_without_a_row_is_caught(self):
        self.plant("src/primitives/catalogue.cpp", 'primitive<Slice>("SLICE", ""), primitive<Ram>("RAM", "")\n')
        self.expect("the primitive Ram has no row")

    def test_a_row_of_what_is_gone_is_caught(self):
        self.plant("src/platform/host.h", "class Board final : public Config {\n};\n")
        self.expect("Host is not defined in src/platform/host.h")

    def test_a_row_without_a_reason_is_caught(self):
        self.plant("docs/twins.md", PAGE.replace("without: software", "none"))
        self.expect("Host: neither a twin nor 'without: ' and a reason")

    def test_two_rows_of_one_module_are_caught(self):
        self.plant("docs/twins.md", PAGE + "| `Host` | `platform/host.h` | without: software |\n")
        self.expect("Host has two rows")

    def test_a_twin_that_is_not_there_is_caught(self):
        (self.tree / "tests/rtl/tree.v").unlink()
        self.expect("Tree: there is no tests/rtl/tree.v")

    def test_a_twin_whose_test_is_not_built_is_caught(self):
        self.plant("tests/rtl/CMakeLists.txt", "# fansim_twin(tree LINK blocks)\n")
        self.expect("Tree: no lock-step test of tree is built")

    def test_a_test_of_another_block_is_caught(self):
        self.plant("tests/rtl/cosim/tree.cpp", '#include "blocks/bush.h"\n')
        self.expect("Tree: tests/rtl/cosim/tree.cpp does not include blocks/tree.h")

    def test_a_lock_step_test_that_the_page_does_not_name_is_caught(self):
        self.plant("tests/rtl/CMakeLists.txt", "fansim_twin(tree LINK blocks)\nfansim_cosim(bush LINK blocks)\n")
        self.expect("the lock-step test of bush is not named")


if __name__ == "__main__":
    unittest.main()
