// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/csv_field.h"
#include "report/run_report.h"

namespace fansim::report {
namespace {

std::string figure_text(const contract::Statistic& statistic, const contract::LayerResult& layer,
                        const RunReport& report) {
  if (statistic.counted) return fmt::format("{}", statistic.counted->of(layer));
  const double value = statistic.of(layer, report.design);
  return statistic.whole() ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{}", value);
}

}  // namespace

std::string csv(const RunReport& report) {
  const std::vector<contract::Statistic> statistics = report.account.statistics();
  std::string out = "name,type";
  for (const contract::Statistic& statistic : statistics)
    if (statistic.in_reports()) out += fmt::format(",{}", statistic.key());
  for (const contract::Bucket& bucket : report.account.buckets) out += fmt::format(",{}", bucket.name);
  out += ",output_hash,timing\n";
  for (const contract::LayerResult& layer : report.layers) {
    out += csv_field(layer.name) + "," + layer.type;
    for (const contract::Statistic& statistic : statistics)
      if (statistic.in_reports()) out += "," + figure_text(statistic, layer, report);
    for (std::size_t b = 0; b < report.account.buckets.size(); ++b)
      out += fmt::format(",{}", layer.buckets.empty() ? 0 : layer.buckets[b]);
    out += fmt::format(",{},{}\n", layer.output_hash, name(report.timing.verdict()));
  }
  return out;
}

}  // namespace fansim::report
