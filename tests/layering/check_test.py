# SPDX-License-Identifier: Apache-2.0
"""Plants one bad file at a time in a temporary tree and expects the check to name it."""

import pathlib
import tempfile
import unittest

import check

SPDX = f"// {check.SPDX}\n"


def source(room, *includes):
    lines = "".join(f"#include {name}\n" for name in includes)
    return f"{SPDX}{lines}namespace fansim::{room} {{}}\n"


class PlantedFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name).resolve()
        self.plant("src/base/error.h", source("base", "<string>"))
        self.plant("src/sim/module.h", source("sim", "<systemc>", '"base/error.h"'))

    def plant(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def expect(self, name, text, *violations):
        self.plant(name, text)
        self.assertEqual([(name, v) for v in violations], [(str(p), v) for p, v in check.check_tree(self.tree)])

    def test_a_good_tree_is_clean(self):
        self.expect("src/cli/main.cpp", SPDX + '#include "sim/module.h"\nint sc_main(int, char**) { return 0; }\n')

    def test_a_room_outside_the_table_row_is_caught(self):
        self.expect("src/datapath/mac.h", source("datapath", '"axi/dma.h"'),
                    'datapath may not include axi ("axi/dma.h")')

    def test_systemc_in_a_pure_room_is_caught(self):
        for header in ("systemc", "systemc.h", "tlm", "tlm_utils/simple_target_socket.h"):
            self.expect("src/arch/dsp.h", source("arch", f"<{header}>"),
                        f"arch is pure and may not include <{header}>")

    def test_only_pin_shells_of_primitives_know_systemc(self):
        self.plant("src/primitives/carry8_pins.h", source("primitives", "<systemc>", '"sim/module.h"'))
        self.expect("src/primitives/carry8.h", source("primitives", '"sim/module.h"'),
                    'primitives may not include sim ("sim/module.h")')

    def test_the_fast_engine_takes_no_pin_shell(self):
        self.expect("src/timing/mac.h", source("timing", '"primitives/carry8_pins.h"'),
                    'timing may not include primitives_pins ("primitives/carry8_pins.h")')

    def test_an_include_without_its_room_is_caught(self):
        self.expect("src/base/units.h", source("base", '"error.h"'), '"error.h" is not written as "room/file.h"')

    def test_a_foreign_namespace_is_caught(self):
        self.expect("src/base/units.h", source("arch"), "namespace fansim::arch in the folder of fansim::base")

    def test_a_missing_namespace_is_caught(self):
        self.expect("src/base/units.h", SPDX, "namespace fansim::base is missing")

    def test_an_unknown_room_is_caught(self):
        self.expect("src/util/misc.h", source("util"), "is in no room of the floor plan")

    def test_a_missing_licence_line_is_caught(self):
        self.expect("src/base/units.h", "\n" + source("base"), "the first line is not the SPDX line")

    def test_a_link_line_outside_the_table_row_is_caught(self):
        self.expect("src/CMakeLists.txt", f"# {check.SPDX}\nfansim_room(rules LINK base sim)\n",
                    "rules may not link sim")

    def test_a_long_file_is_only_reported(self):
        self.expect("src/base/units.h", source("base") + "\n" * 400)
        self.assertEqual(1, len(list(check.long_files(self.tree))))


if __name__ == "__main__":
    unittest.main()
