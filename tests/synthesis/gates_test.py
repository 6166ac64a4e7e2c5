#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/gates.py reads out of a netlist, on one of four gates."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
import gates  # noqa: E402


def cell(kind, **pins):
    return {"type": f"$_{kind}_", "connections": {pin: [net] for pin, net in pins.items()}}


def netlist(*cells, ports=2):
    module = {"ports": {f"i{n}": {"direction": "input", "bits": [n + 2]} for n in range(ports)},
              "cells": {f"c{n}": one for n, one in enumerate(cells)}}
    return gates.Netlist(json.dumps({"modules": {"u": module}}), "u")


def switched(net, before, after, through=False):
    return net.toggles({2: before[0], 3: before[1]}, {2: after[0], 3: after[1]}, 1, through)


AREA = gates.AREAS


class Netlists(unittest.TestCase):
    def test_levels_end_at_registers_unless_they_are_counted_through(self):
        net = netlist(cell("NAND", A=2, B=3, Y=10), cell("NOT", A=10, Y=11), cell("DFF_P", C=9, D=11, Q=12),
                      cell("XOR", A=12, B=2, Y=13))
        self.assertEqual((net.levels(False), net.levels(True)), (2, 3))
        self.assertEqual(net.kinds, {"nand": 1, "not": 1, "xor": 1, "flipflop": 1})

    def test_a_gate_that_switches_counts_with_its_area_and_one_that_does_not_counts_nothing(self):
        net = netlist(cell("NAND", A=2, B=3, Y=10), cell("NOT", A=2, Y=11))
        self.assertEqual(switched(net, (1, 0), (1, 1)), AREA["nand"])
        self.assertAlmostEqual(switched(net, (0, 1), (1, 1)), AREA["nand"] + AREA["not"])
        self.assertEqual(switched(net, (1, 1), (1, 1)), 0)

    def test_a_late_input_makes_a_gate_switch_twice(self):
        net = netlist(cell("NOT", A=2, Y=10), cell("XNOR", A=2, B=10, Y=11))
        self.assertAlmostEqual(switched(net, (0, 0), (1, 0)), AREA["not"] + 2 * AREA["xnor"])

    def test_a_register_stops_what_would_go_on(self):
        late = [cell("NOT", A=2, Y=10), cell("XNOR", A=2, B=10, Y=11), cell("DFF_P", C=9, D=11, Q=12), cell("NOT", A=12, Y=13)]
        net = netlist(*late)
        self.assertAlmostEqual(switched(net, (0, 0), (1, 0)), AREA["not"] + 2 * AREA["xnor"])
        self.assertAlmostEqual(switched(net, (0, 0), (1, 0), through=True), 3 * AREA["not"] + 2 * AREA["xnor"])

    def test_every_gate_computes_its_function(self):
        for kind, function in {"AOI3": lambda a, b, c, d: not (a and b or c), "OAI3": lambda a, b, c, d: not ((a or b) and c),
                               "AOI4": lambda a, b, c, d: not (a and b or c and d), "NMUX": lambda a, b, c, d: not (b if c else a),
                               "OAI4": lambda a, b, c, d: not ((a or b) and (c or d)), "NOR": lambda a, b, c, d: not (a or b)}.items():
            names = {"NMUX": "ABS", "AOI4": "ABCD", "OAI4": "ABCD", "NOR": "AB"}.get(kind, "ABC")
            for word in range(16):
                bits = [word >> n & 1 for n in range(4)]
                with self.subTest(kind=kind, bits=bits):
                    net = netlist(cell(kind, **{pin: n + 2 for n, pin in enumerate(names)}, Y=10), ports=4)
                    values = net.settled({n + 2: bit for n, bit in enumerate(bits)}, 1)
                    self.assertEqual(values[10], int(function(*bits)))

    def test_cells_of_no_known_kind_and_feedback_are_refused(self):
        with self.assertRaisesRegex(gates.SynthesisError, "DLATCH"):
            netlist(cell("DLATCH_P", D=2, Q=10))
        with self.assertRaisesRegex(gates.SynthesisError, "feed back"):
            netlist(cell("NOT", A=11, Y=10), cell("DFF_P", C=9, D=10, Q=11))


class Operations(unittest.TestCase):
    def test_lanes_hold_the_operations_one_after_the_other(self):
        ports = {"x": [2, 3]}
        self.assertEqual(gates.lanes(ports, {"x": [0, 1, 2, 3]}, 1, 3), {"0": 0, "1": 7, "x": 0, 2: 0b101, 3: 0b110})

    def test_exponents_are_within_eight_of_each_other(self):
        words = gates.operations({"operands_a": list(range(16))}, 8, 7, 100)["operands_a"]
        exponents = [word >> 7 & 255 for word in words]
        self.assertEqual((min(exponents), max(exponents)), (123, 130))


if __name__ == "__main__":
    unittest.main()
