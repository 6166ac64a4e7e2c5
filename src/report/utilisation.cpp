// SPDX-License-Identifier: Apache-2.0
#include "report/utilisation.h"

#include <fmt/format.h>

#include "report/table.h"

namespace fansim::report {
namespace {

std::string amount(double value) { return fmt::format("{:.10g}", value); }

std::string error(double estimated, double reported) {
  return reported > 0 ? fmt::format("{:+.1f}", 100 * (estimated - reported) / reported) : "-";
}

void add_kind(Table& table, const std::string& block, const char* kind, double estimated, double reported,
              double scale) {
  if (estimated == 0 && reported == 0) return;
  table.row({block, kind, amount(reported), amount(estimated), error(estimated, reported),
             fmt::format("{:.1f}", estimated * scale), error(estimated * scale, reported)});
}

void add(Table& table, const estimate::Match& match, const estimate::Scale& scale) {
  add_kind(table, match.block, "DSP", match.estimated.dsp, match.reported.dsp, scale.dsp);
  add_kind(table, match.block, "LUT", match.estimated.lut, match.reported.lut, scale.lut);
  add_kind(table, match.block, "FF", match.estimated.ff, match.reported.ff, scale.ff);
  add_kind(table, match.block, "BRAM36", match.estimated.bram36, match.reported.bram36, scale.bram36);
}

}  // namespace

std::string utilisation(const estimate::Calibration& calibration) {
  Table table(2);
  table.row({"block", "resource", "report", "estimate", "error %", "fitted", "error %"});
  table.rule();
  estimate::Match sum{"sum", {}, {}, {}};
  for (const estimate::Match& match : calibration.matches) {
    add(table, match, calibration.scale);
    sum.estimated += match.estimated;
    sum.reported += match.reported;
  }
  if (calibration.matches.size() > 1) {
    table.rule();
    add(table, sum, calibration.scale);
  }
  return table.text();
}

}  // namespace fansim::report
