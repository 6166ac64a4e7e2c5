# SPDX-License-Identifier: Apache-2.0
"""Plants one bad file or line of the plan at a time in a temporary tree and expects the check to name it."""

import pathlib
import tempfile
import unittest

import check

SPDX = f"// {check.SPDX}\n"

PLAN = """\
# room | kind | what | may include
base | pure | errors |
contract | pure | what machines share | base
primitives | pure | vendor primitives | base
timing | pure | the fast engine | base contract
timing/trains | pure | its shortcuts | base timing
sim | systemc | the kit | base
axi | systemc | AXI | base sim
platform | systemc | the host | base sim
accelerators | pure | the interface | base contract timing
accelerators/stream/config | pure | its configuration | base contract
accelerators/stream/timing | pure | its fast engine | base timing accelerators/stream/config
accelerators/stream/hardware | systemc | its blocks | base sim platform
accelerators/stream | systemc | its facade | base sim accelerators accelerators/stream/config accelerators/stream/timing
accelerators/tiled/config | pure | its configuration | base contract
accelerators/tiled | systemc | its facade | base sim accelerators accelerators/tiled/config
accelerators/registry | systemc | a line each | accelerators accelerators/stream accelerators/tiled
papers | systemc | publications | *
cli | systemc | options | *
"""


def source(namespace, *includes):
    lines = "".join(f"#include {name}\n" for name in includes)
    return f"{SPDX}{lines}namespace fansim::{namespace} {{}}\n"


def page_of(plan):
    return f"# Rooms\n\n{check.MARKS[0]}{check.Plan(plan).table()}{check.MARKS[1]}\nMore.\n"


class PlantedFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name).resolve()
        self.plan(PLAN)
        for room in check.Plan(PLAN).rooms.values():
            seen = [] if room.all else room.may_include
            self.plant(f"src/{room.name}/planned.h",
                       source(check.namespace_of(room.name), *(f'"{other}/planned.h"' for other in seen)))
        self.plant("src/base/error.h", source("base", "<string>"))
        self.plant("src/sim/module.h", source("sim", "<systemc>", '"base/error.h"'))
        self.plant("src/accelerators/accelerator.h", source("accelerators", '"timing/edge.h"'))
        self.plant("src/accelerators/stream/config/config.h", source("stream", '"contract/axi.h"'))
        self.plant("src/accelerators/stream/stream.cpp", source("stream", '"accelerators/accelerator.h"'))
        self.plant("src/accelerators/registry/registry.cpp",
                   source("accelerators", '"accelerators/stream/stream.h"', '"accelerators/tiled/tiled.h"'))

    def plant(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def plan(self, text):
        self.plant("src/rooms.txt", text)
        self.plant("docs/architecture.md", page_of(text))

    def found(self):
        return [(str(path), violation) for path, violation in check.check_tree(self.tree)]

    def expect(self, name, text, *violations):
        self.plant(name, text)
        self.assertEqual([(name, violation) for violation in violations], self.found())

    def expect_of_plan(self, old, new, *violations):
        self.assertIn(old, PLAN)
        self.plan(PLAN.replace(old, new))
        self.assertEqual([("src/rooms.txt", violation) for violation in violations], self.found())

    def test_a_good_tree_is_clean(self):
        self.expect("src/cli/main.cpp", SPDX + '#include "sim/module.h"\nint sc_main(int, char**) { return 0; }\n')

    def test_a_room_that_the_plan_does_not_allow_is_caught(self):
        self.expect("src/timing/queue.h", source("timing", '"primitives/dsp.h"'),
                    'timing may not include primitives ("primitives/dsp.h")')

    def test_of_nested_rooms_the_innermost_has_the_file(self):
        self.expect("src/accelerators/stream/timing/pipe.h", source("stream", '"contract/axi.h"'),
                    'accelerators/stream/timing may not include contract ("contract/axi.h")')

    def test_a_room_of_the_frame_sees_no_accelerator(self):
        self.expect("src/accelerators/layer_times.h", source("accelerators", '"accelerators/stream/config/config.h"'),
                    'accelerators may not include accelerators/stream/config ("accelerators/stream/config/config.h")')

    def test_a_wing_that_sees_another_is_caught(self):
        self.expect("src/accelerators/tiled/tiled.cpp", source("tiled", '"accelerators/stream/config/config.h"'),
                    'accelerators/tiled sees an accelerator of another kind ("accelerators/stream/config/config.h")')

    def test_the_registry_sees_every_door_but_no_room_behind_one(self):
        self.expect("src/accelerators/registry/list.cpp",
                    source("accelerators", '"accelerators/stream/config/config.h"'),
                    'accelerators/registry may not include accelerators/stream/config '
                    '("accelerators/stream/config/config.h")')

    def test_a_room_that_may_include_all_sees_those_before_it(self):
        self.plant("src/cli/run.cpp", source("cli", '"papers/faq.h"', '"accelerators/tiled/config/config.h"'))
        self.expect("src/papers/faq.h", source("papers", '"cli/options/options.h"'),
                    'papers may not include cli ("cli/options/options.h")')

    def test_systemc_in_a_pure_room_is_caught(self):
        for header in ("systemc", "systemc.h", "tlm", "tlm_utils/simple_target_socket.h"):
            self.expect("src/accelerators/stream/config/dsp.h", source("stream", f"<{header}>"),
                        f"accelerators/stream/config is pure and may not include <{header}>")

    def test_an_include_without_its_room_is_caught(self):
        self.expect("src/base/units.h", source("base", '"error.h"'), '"error.h" is not written as "room/file.h"')

    def test_a_foreign_namespace_is_caught(self):
        for name, namespace, own in (("base/units.h", "contract", "base"),
                                     ("accelerators/tiled/config/job.h", "stream", "tiled"),
                                     ("accelerators/tiled/tiled.h", "accelerators", "tiled"),
                                     ("accelerators/configure.h", "stream", "accelerators"),
                                     ("accelerators/registry/list.h", "registry", "accelerators")):
            self.expect(f"src/{name}", source(namespace), f"namespace fansim::{namespace} in a room of fansim::{own}")
            (self.tree / "src" / name).unlink()

    def test_a_class_of_a_room_before_may_be_named(self):
        named = "namespace fansim::{} {{\nclass Host;\nstruct Options;\n}}  // namespace fansim::{}\n"
        self.plant("src/accelerators/machine.h", source("accelerators") + named.format("platform", "platform"))
        self.expect("src/platform/host.h", source("platform") + named.format("cli", "cli"),
                    "platform names classes of fansim::cli, which does not stand before it")

    def test_a_foreign_namespace_with_more_than_names_of_classes_is_caught(self):
        more = "namespace fansim::base {\nclass Host;\nint zero();\n}\n"
        self.expect("src/platform/host.h", source("platform") + more,
                    "namespace fansim::base in a room of fansim::platform")

    def test_a_missing_namespace_is_caught(self):
        self.expect("src/base/units.h", SPDX, "namespace fansim::base is missing")

    def test_an_unknown_room_is_caught(self):
        self.expect("src/util/misc.h", source("util"), "is in no room of the floor plan")

    def test_a_missing_licence_line_is_caught(self):
        self.expect("src/base/units.h", "\n" + source("base"), "the first line is not the SPDX line")

    def test_a_plan_that_names_no_room_is_caught(self):
        self.expect_of_plan("pure | the fast engine | base contract", "pure | the fast engine | base contract rules",
                            "timing may include rules, which is no room")

    def test_a_room_that_the_plan_allows_and_no_file_includes_is_caught(self):
        self.expect_of_plan("timing | pure | the fast engine | base contract",
                            "timing | pure | the fast engine | base contract primitives",
                            "timing may include primitives and does not")

    def test_a_room_may_see_one_header_of_another_and_no_more(self):
        self.plan(PLAN.replace("| vendor primitives | base", "| vendor primitives | base contract/axi.h"))
        self.expect("src/primitives/dsp.h", source("primitives", '"contract/axi.h"'))
        self.expect("src/primitives/ram.h", source("primitives", '"contract/dma.h"'),
                    'primitives may not include contract ("contract/dma.h")')

    def test_a_header_that_the_plan_allows_is_held_to_the_same(self):
        self.expect_of_plan("contract | pure | what machines share | base",
                            "contract | pure | what machines share | base sim/module.h",
                            "contract may include sim/module.h, which does not stand before it")
        self.expect_of_plan("axi | systemc | AXI | base sim", "axi | systemc | AXI | base sim contract/axi.h",
                            "axi may include contract/axi.h and does not")

    def test_an_arrow_up_is_caught_and_so_is_a_circle(self):
        self.expect_of_plan("contract | pure | what machines share | base",
                            "contract | pure | what machines share | base timing",
                            "contract may include timing, which does not stand before it")

    def test_a_room_that_names_itself_is_caught(self):
        self.expect_of_plan("axi | systemc | AXI | base sim", "axi | systemc | AXI | base sim axi",
                            "axi may include axi, which does not stand before it")

    def test_a_pure_room_above_systemc_is_caught(self):
        self.expect_of_plan("accelerators | pure | the interface | base", "accelerators | pure | the interface | base sim",
                            "accelerators is pure and may include sim, which is not")

    def test_a_clocked_room_that_reaches_a_shortcut_is_caught(self):
        caught = [f"{room} is clocked and reaches {other}, which is the fast engine's"
                  for room in ("platform", "accelerators/stream/hardware") for other in ("timing", "timing/trains")]
        self.expect_of_plan("platform | systemc | the host | base sim",
                            "platform | systemc | the host | base sim timing/trains", *caught)

    def test_a_plan_that_joins_two_wings_is_caught(self):
        self.expect_of_plan("accelerators/tiled/config | pure | its configuration | base",
                            "accelerators/tiled/config | pure | its configuration | base accelerators/stream/config",
                            "accelerators/tiled/config may include accelerators/stream/config, "
                            "an accelerator's of another kind")

    def test_a_page_that_does_not_show_the_plan_is_caught(self):
        page, differs = "docs/architecture.md", "the table of rooms is not that of src/rooms.txt; see check.py --table"
        self.expect(page, page_of(PLAN.replace("| the kit |", "| a kit |")), differs)
        self.expect(page, page_of(PLAN[:PLAN.index("papers")]), differs)
        self.expect(page, "# Rooms\n", "has no <!-- rooms --> ... <!-- /rooms -->")

    def test_a_large_room_is_only_reported(self):
        for i in range(10):
            self.plant(f"src/axi/part{i}.h", source("axi") + "\n" * 298)
        (self.tree / "src/axi/planned.h").write_text("")
        self.assertEqual([], list(check.warnings(self.tree)))
        self.expect("src/axi/planned.h", source("axi", '"base/planned.h"', '"sim/planned.h"'))
        self.assertEqual([(check.PLAN, "axi has 3004 lines, more than 3000")], list(check.warnings(self.tree)))

    def test_a_long_file_is_only_reported(self):
        self.expect("src/base/units.h", source("base") + "\n" * 400)
        self.assertEqual([(pathlib.Path("src/base/units.h"), "402 lines, split at 400")],
                         list(check.warnings(self.tree)))


if __name__ == "__main__":
    unittest.main()
