#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cell counts of scripts/synthesise.py on recorded reports."""

import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))
import synthesise  # noqa: E402


def report(cells, modules=1):
    return json.dumps({"modules": {f"\\m{n}": {"num_cells_by_type": cells} for n in range(modules)}})


class Count(unittest.TestCase):
    def test_a_recorded_report_is_counted_by_kind(self):
        self.assertEqual(synthesise.count((HERE / "stat.json").read_text(), "u"),
                         {"lut": 4, "ff": 4, "srl": 40, "bram36": 0, "dsp": 0})

    def test_a_ramb18_is_half_a_block_and_multiplexers_are_free(self):
        found = synthesise.count(report({"RAMB18E2": 3, "RAMB36E2": 2, "MUXF7": 9, "CARRY4": 5, "LUT6": 7, "INV": 1,
                                         "FDSE": 2, "FDRE": 3, "DSP48E2": 4, "RAM64M": 1}))
        self.assertEqual(found, {"lut": 12, "ff": 5, "srl": 0, "bram36": 3.5, "dsp": 4})

    def test_a_cell_of_no_known_kind_is_refused(self):
        with self.assertRaisesRegex(synthesise.SynthesisError, "cell \\$mul is of no known kind"):
            synthesise.count(report({"$mul": 1}))

    def test_text_that_is_no_report_or_another_module_is_refused(self):
        for text in ("", "[]", '{"modules"', "{}"):
            with self.assertRaises(synthesise.SynthesisError):
                synthesise.count(text)
        with self.assertRaisesRegex(synthesise.SynthesisError, "expected module other"):
            synthesise.count(report({}), "other")
        with self.assertRaisesRegex(synthesise.SynthesisError, "one flat module"):
            synthesise.count(report({}, modules=2))

    def test_a_digest_changes_with_what_is_synthesised_and_with_nothing_else(self):
        code = "module a;\n  reg [7:0] m[0:3];\n  always @(posedge clk) if (w) m[i] <= d;\nendmodule\n"
        ports = code.replace("endmodule", "  `SIMPLE_DUAL_PORT(m, w && (i < 4), r, fault == 15)\nendmodule")
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(synthesise, "RTL", pathlib.Path(folder)):
            def digest(text):
                (synthesise.RTL / "a.v").write_text(text)
                return synthesise.digest("a")
            (synthesise.RTL / "memory_ports.vh").write_text("`define SIMPLE_DUAL_PORT(m, w, r, a)\n")
            self.assertEqual(digest(code), digest('`include "memory_ports.vh"\n' + ports + "// a comment\n"))
            self.assertNotEqual(digest(code), digest(code.replace("if (w)", "if (w && r)")))


if __name__ == "__main__":
    unittest.main()
