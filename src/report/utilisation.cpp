// SPDX-License-Identifier: Apache-2.0
#include "report/utilisation.h"

#include <fmt/format.h>

#include "report/table.h"

namespace fansim::report {
namespace {

using contract::Resources;
using estimate::Calibration;

// Reads one kind of resource, and its factor.
struct Kind {
  const char* name;
  double (*of)(const Resources&);
  std::optional<double> estimate::Factors::*factor;
};
constexpr Kind kKinds[] = {
    {"DSP", [](const Resources& use) { return static_cast<double>(use.dsp); }, &estimate::Factors::dsp},
    {"LUT", [](const Resources& use) { return static_cast<double>(use.lut); }, &estimate::Factors::lut},
    {"FF", [](const Resources& use) { return static_cast<double>(use.ff); }, &estimate::Factors::ff},
    {"BRAM36", [](const Resources& use) { return use.bram36; }, &estimate::Factors::bram36}};

std::string amount(double value) { return fmt::format("{:.10g}", value); }

std::string error(double estimated, double reported) {
  return reported > 0 ? fmt::format("{:+.1f}", 100 * (estimated - reported) / reported) : "-";
}

void add(Table& table, const estimate::Match& match, const estimate::Factors& factors) {
  for (const Kind& kind : kKinds) {
    const double estimated = kind.of(match.estimated), reported = kind.of(match.reported);
    if (estimated == 0 && reported == 0) continue;
    const std::optional<double>& factor = factors.*kind.factor;
    table.row({match.block, kind.name, amount(reported), amount(estimated), error(estimated, reported),
               factor ? fmt::format("{:.1f}", estimated * *factor) : "-",
               factor ? error(estimated * *factor, reported) : "-"});
  }
}

}  // namespace

std::string factors(const Calibration& calibration) {
  std::string text;
  for (const Kind& kind : kKinds) {
    const std::optional<double>& factor = calibration.factors.*kind.factor;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.name, factor ? fmt::format("{:.3f}", *factor) : "-");
  }
  return text;
}

std::string matched_share(const Calibration& calibration) {
  std::string text;
  for (const Kind& kind : kKinds) {
    const double all = kind.of(calibration.whole.reported), matched = kind.of(calibration.matched);
    if (all > 0)
      text += fmt::format("{}{} {} of {} ({:.1f} %)", text.empty() ? "" : ", ", kind.name, amount(matched), amount(all),
                          100 * matched / all);
  }
  return text;
}

std::string utilisation(const Calibration& calibration) {
  Table table(2);
  table.row({"block", "resource", "report", "estimate", "error %", "fitted", "error %"});
  table.rule();
  estimate::Match sum{"sum", {}, {}, {}};
  for (const estimate::Match& match : calibration.matches) {
    add(table, match, calibration.factors);
    sum.estimated += match.estimated;
    sum.reported += match.reported;
  }
  if (calibration.matches.size() > 1) {
    table.rule();
    add(table, sum, calibration.factors);
  }
  if (!calibration.matches.empty()) table.rule();
  add(table, calibration.whole, calibration.factors);
  return table.text();
}

}  // namespace fansim::report
