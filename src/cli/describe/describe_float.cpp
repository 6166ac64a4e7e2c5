// SPDX-License-Identifier: Apache-2.0
#include "cli/describe/describe_float.h"

#include <fmt/format.h>

#include "base/console.h"
#include "estimate/float_technology.h"
#include "report/table.h"

namespace fansim::cli {

void describe_float_operators() {
  constexpr double kClockHz = 100e6;
  const estimate::FloatTechnology& technology = estimate::tsmc55();
  base::print(
      "floating-point operators in gates, as Yosys makes them of the Verilog twins (docs/float.md), in {} at {:g} MHz, "
      "an "
      "operation in each cycle\n\n",
      technology.name, kClockHz / 1e6);
  report::Table table(9);
  table.row({"operator", "(S,E,M)", "gates", "flip-flops", "um2", "levels", "ns", "pJ", "mW"});
  const estimate::FloatGates* before = nullptr;
  for (const estimate::FloatGates& op : estimate::float_gates()) {
    if (!before || before->which != op.which || before->iterations != op.iterations) table.rule();
    before = &op;
    const std::string iterations =
        op.iterations > 0 ? fmt::format(", {} iteration{}", op.iterations, op.iterations > 1 ? "s" : "") : "";
    table.row({estimate::name(op.which) + iterations, fmt::format("(1,{},{})", op.exponent_bits, op.mantissa_bits),
               fmt::format("{:.0f}", op.gates), std::to_string(op.registers),
               fmt::format("{:.0f}", technology.area_um2(op)), std::to_string(op.levels),
               fmt::format("{:.2f}", technology.delay_ns(op)),
               fmt::format("{:.1f}", technology.energy_pj(op.switched())),
               fmt::format("{:.2f}", technology.power_mw(op, kClockHz))});
  }
  base::print(
      "{}\ngates: two-input NANDs of the same area, without flip-flops; levels and ns: the longest way through all "
      "stages\n"
      "um2: {:g} a gate, {}\nns: {:g} ps a level, {}\npJ: {:g} fJ a gate that switches, {}\n",
      table.text(), technology.um2_per_gate, technology.area_source, technology.ps_per_level, technology.delay_source,
      technology.fj_per_toggle, technology.energy_source);
}

}  // namespace fansim::cli
