// SPDX-License-Identifier: Apache-2.0
#include "report/span.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

std::string change(base::Cycles cycles, base::Cycles of) {
  return fmt::format("{:+.1f}", 100 * static_cast<double>(cycles - of) / static_cast<double>(of));
}

std::string four_digits(double value) { return fmt::format("{:.4g}", value); }

std::string end(int cycles, const std::string& text) {
  return text.find(' ') == std::string::npos ? grouped(cycles) : fmt::format("{} ({})", grouped(cycles), text);
}

bool inside(const HeadlineSpan& span) { return span.least <= span.published && span.published <= span.most; }

}  // namespace

std::string text(const Reach& reach, double clock_hz) {
  if (reach.keys.empty()) return "time: for its fitted and assumed constants the configuration states no range\n";
  const auto ms = [clock_hz](base::Cycles cycles) { return 1e3 * static_cast<double>(cycles) / clock_hz; };
  std::set<std::string> blocks;
  for (const std::string& key : reach.keys) blocks.insert(key.substr(0, key.find('.')));
  return fmt::format(
      "time: {:.3f} to {:.3f} ms by the ranges of {} fitted or assumed constants ({}); --ranges: by which\n",
      ms(reach.least), ms(reach.most), reach.keys.size(), fmt::join(blocks, ", "));
}

Json reach_json(const Reach& reach) {
  return {{"least_cycles", reach.least}, {"most_cycles", reach.most}, {"keys", reach.keys}};
}

std::string text(const Span& span, double clock_hz) {
  const auto ms = [clock_hz](base::Cycles cycles) { return 1e3 * static_cast<double>(cycles) / clock_hz; };
  std::string out = fmt::format(
      "\n{} to {} cycles, {:.3f} to {:.3f} ms ({} to {} %), by the ranges of {} constants that nobody published\n\n",
      grouped(span.least), grouped(span.most), ms(span.least), ms(span.most), change(span.least, span.cycles),
      change(span.most, span.cycles), span.keys.size());
  std::vector<SpanKey> keys = span.keys;
  const auto reach = [](const SpanKey& key) { return std::max(key.at_lo, key.at_hi) - std::min(key.at_lo, key.at_hi); };
  std::stable_sort(keys.begin(), keys.end(), [&](const SpanKey& a, const SpanKey& b) { return reach(a) > reach(b); });
  Table table(1);
  table.row({"key alone", "from", "to", "cycles at from", "%", "cycles at to", "%"});
  table.rule();
  for (const SpanKey& key : keys)
    table.row({key.key, end(key.lo, key.lo_text), end(key.hi, key.hi_text), grouped(key.at_lo),
               change(key.at_lo, span.cycles), grouped(key.at_hi), change(key.at_hi, span.cycles)});
  return out + table.text();
}

Json span_json(const Span& span) {
  Json json{{"least_cycles", span.least}, {"most_cycles", span.most}, {"keys", Json::array()}};
  for (const SpanKey& key : span.keys)
    json["keys"].push_back({{"key", key.key},
                            {"from", key.lo},
                            {"to", key.hi},
                            {"from_as_given", key.lo_text},
                            {"to_as_given", key.hi_text},
                            {"cycles_at_from", key.at_lo},
                            {"cycles_at_to", key.at_hi}});
  return json;
}

std::string text(const std::vector<HeadlineSpan>& spans) {
  Table table(3);
  table.row({"paper", "quantity", "unit", "published", "simulated", "from", "to", "published inside"});
  table.rule();
  for (const HeadlineSpan& span : spans)
    table.row({span.paper, span.quantity, span.unit, four_digits(span.published), four_digits(span.simulated),
               four_digits(span.least), four_digits(span.most), inside(span) ? "yes" : "no"});
  return table.text();
}

std::string json(const std::vector<HeadlineSpan>& spans) {
  Json out;
  out["schema"] = 1;
  out["ranges"] = Json::array();
  for (const HeadlineSpan& span : spans)
    out["ranges"].push_back({{"paper", span.paper},
                             {"quantity", span.quantity},
                             {"unit", span.unit},
                             {"published", span.published},
                             {"simulated", span.simulated},
                             {"from", span.least},
                             {"to", span.most},
                             {"published_inside", inside(span)}});
  return out.dump(2) + "\n";
}

}  // namespace fansim::report
