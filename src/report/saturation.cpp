// SPDX-License-Identifier: Apache-2.0
#include "report/saturation.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

double share(std::int64_t count, std::int64_t values) {
  return values > 0 ? static_cast<double>(count) / static_cast<double>(values) : 0;
}

// Three digits tell one value in a million from none.
std::string percent(std::int64_t count, const arith::Saturation& seen) {
  return fmt::format("{:.3g} %", 100 * share(count, seen.values));
}

// The registers that should hold every sum, and the widths that would.
struct Widths {
  int accumulator = 0, operand = 0;  // 0: the register is wide enough

  explicit Widths(const RunReport& report) {
    for (const contract::LayerResult& layer : report.layers) {
      if (!layer.saturation) continue;
      const arith::Saturation& seen = *layer.saturation;
      const int sums =
          seen.accumulator.count > 0 ? arith::bits_that_hold(report.accumulator_bits, seen.accumulator.overshoot) : 0;
      accumulator = std::max(accumulator, sums);
      // What has wrapped says nothing of the operand.
      if (seen.operand.count > 0 || sums > report.operand_bits)
        operand = std::max({operand, sums, arith::bits_that_hold(report.operand_bits, seen.operand.overshoot)});
    }
  }
};

std::string would_hold(const char* register_name, const char* did, int width, std::int64_t overshoot) {
  return fmt::format("; {} by up to {}: quantiser.{}: {} would hold", did, grouped(overshoot), register_name, width);
}

Json beyond_json(const arith::Beyond& beyond, std::int64_t values) {
  return {{"count", beyond.count}, {"share", share(beyond.count, values)}, {"overshoot", beyond.overshoot}};
}

std::string place(const char* name, const arith::Beyond& beyond, const arith::Saturation& seen) {
  return beyond.count == 0
             ? ""
             : fmt::format(" {} {} (by up to {}),", name, percent(beyond.count, seen), grouped(beyond.overshoot));
}

bool any(const arith::Saturation& seen) { return seen.accumulator.count + seen.operand.count + seen.output.count > 0; }

}  // namespace

std::string saturation_warning(const RunReport& report) {
  const contract::LayerResult sum = total(report);
  if (!sum.saturation || sum.saturation->changed == 0) return "";
  const contract::LayerResult* worst = nullptr;
  double most = 0;
  for (const contract::LayerResult& layer : report.layers) {
    const double changed = layer.saturation ? share(layer.saturation->changed, layer.saturation->values) : 0;
    if (changed > most) worst = &layer;
    most = std::max(most, changed);
  }
  const arith::Saturation& all = *sum.saturation;
  const Widths widths(report);
  std::string line = fmt::format("saturation changes {} of all results", percent(all.changed, all));
  if (worst) line += fmt::format(", {:.3g} % of {}'s", 100 * most, worst->name);
  if (all.operand.count > 0)
    line += would_hold("operand_bits", "operands saturate", widths.operand, all.operand.overshoot);
  if (all.accumulator.count > 0)
    line += would_hold("accumulator_bits", "sums wrap", widths.accumulator, all.accumulator.overshoot);
  return line + "\n";
}

std::string saturation_line(const RunReport& report) {
  const contract::LayerResult sum = total(report);
  if (!sum.saturation || !any(*sum.saturation)) return "";
  const arith::Saturation& all = *sum.saturation;
  std::string line = "saturated:" + place("accumulator", all.accumulator, all) + place("operand", all.operand, all) +
                     place("output", all.output, all);
  line.pop_back();
  return line + fmt::format(" of {} values\n", grouped(all.values));
}

std::string saturation_table(const RunReport& report) {
  std::string rows;
  for (const contract::LayerResult& layer : report.layers) {
    if (!layer.saturation || !any(*layer.saturation)) continue;
    const arith::Saturation& seen = *layer.saturation;
    rows += fmt::format("<tr><td>{}</td><td>{}</td>", escaped(layer.name), grouped(seen.values));
    for (const arith::Beyond* one : {&seen.accumulator, &seen.operand, &seen.output})
      rows += fmt::format("<td>{}</td><td>{}</td>", percent(one->count, seen), grouped(one->overshoot));
    rows += fmt::format("<td>{}</td></tr>\n", percent(seen.changed, seen));
  }
  if (rows.empty()) return "";
  return "<h2>Saturation</h2>\n<table>\n<tr><th>layer</th><th>values</th><th>accumulator</th><th>by up to</th>"
         "<th>operand</th><th>by up to</th><th>output</th><th>by up to</th><th>changed</th></tr>\n" +
         rows + "</table>\n";
}

Json saturation_json(const arith::Saturation& seen) {
  return {{"values", seen.values},
          {"changed", seen.changed},
          {"changed_share", share(seen.changed, seen.values)},
          {"accumulator", beyond_json(seen.accumulator, seen.values)},
          {"operand", beyond_json(seen.operand, seen.values)},
          {"output", beyond_json(seen.output, seen.values)}};
}

Json widths_json(const RunReport& report) {
  const Widths widths(report);
  Json json;
  if (widths.accumulator > 0) json["quantiser.accumulator_bits"] = widths.accumulator;
  if (widths.operand > 0) json["quantiser.operand_bits"] = widths.operand;
  return json;
}

}  // namespace fansim::report
