# SPDX-License-Identifier: Apache-2.0
"""Plants one hole at a time in a small twin with a memory and expects the check to name it."""

import pathlib
import tempfile
import unittest

import memories

TWIN = """\
module store (input clk, input write, input read, input [3:0] fault);
  reg [7:0] memory[0:15];
  reg [7:0] stage[0:3];  // registers
  reg [7:0] out;
  always @(posedge clk) begin
    if (write) memory[at] <= in[3];
    if (read) out <= memory[(at+1)%16];
  end
  `SIMPLE_DUAL_PORT(memory, write, read, fault == 4'd15)
endmodule
"""
PORTS = "  `SIMPLE_DUAL_PORT(memory, write, read, fault == 4'd15)\n"


class PlantedHole(unittest.TestCase):
    def expect(self, text, *violations):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / memories.RTL).mkdir(parents=True)
            (tree / memories.RTL / "store.v").write_text(text)
            (tree / memories.RTL / "parent.v").write_text("module parent; endmodule\n")
            self.assertEqual([f"tests/rtl/store.v: {violation}" for violation in violations], list(memories.check(tree)))

    def test_a_memory_held_to_its_ports_is_clean(self):
        self.expect(TWIN)

    def test_a_memory_without_ports_is_caught(self):
        self.expect(TWIN.replace(PORTS, ""), "memory is held to no ports")

    def test_ports_in_a_comment_are_none(self):
        self.expect(TWIN.replace(PORTS, "//" + PORTS), "memory is held to no ports")

    def test_an_array_without_a_word_is_caught(self):
        self.expect(TWIN.replace("  // registers", ""), "stage is held to no ports")

    def test_another_comment_is_no_excuse(self):
        self.expect(TWIN.replace("// registers", "// a pipeline"), "stage is held to no ports")

    def test_the_second_array_of_a_declaration_is_seen(self):
        self.expect(TWIN.replace("reg [7:0] out;", "reg [7:0] out, more[0:1];"), "more is held to no ports")

    def test_a_read_that_is_not_among_the_ports_is_caught(self):
        self.expect(TWIN.replace("  end\n", "    if (twice) out <= memory[0];\n  end\n"),
                    "memory: 1 of 2 reads are among its ports")

    def test_a_read_in_an_expression_is_caught(self):
        self.expect(TWIN.replace("  reg [7:0] out;\n", "  reg [7:0] out;\n  wire less = memory[2] <= 3;\n"),
                    "memory: 1 of 2 reads are among its ports")

    def test_a_write_that_is_not_among_the_ports_is_caught(self):
        self.expect(TWIN.replace("  end\n", "    else memory[at][3:0] <= 0;\n  end\n"),
                    "memory: 1 of 2 writes are among its ports")

    def test_a_bit_for_each_place_is_clean(self):
        self.expect(TWIN.replace("  end\n", "    if (twice) out <= memory[0];\n  end\n")
                    .replace("write, read,", "write, {read, twice && !(a, b)},"))

    def test_ports_in_the_module_around_it_must_be_there(self):
        self.expect(TWIN.replace(PORTS, "").replace("memory[0:15];", "memory[0:15];  // ports: parent.v"),
                    "parent.v does not hold memory to its ports")


if __name__ == "__main__":
    unittest.main()
