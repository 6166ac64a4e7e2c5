// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/run_report.h"

namespace fansim::report {
namespace {

// RFC 4180: a field with a comma, quote or line break stands in quotes, its quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv(const RunReport& report) {
  std::string out =
      "name,type,cycles,macs,ops,seconds,gops,mac_utilisation,bytes_read,bytes_written,read_gb_per_s,write_gb_per_s";
  for (int b = 0; b < arch::kBuckets; ++b) out += fmt::format(",{}", name(static_cast<arch::Bucket>(b)));
  out += ",output_hash\n";
  for (const arch::LayerResult& layer : report.layers) {
    const Rates r = rates(layer, report);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", field(layer.name), layer.type, layer.cycles, layer.macs,
                       r.ops, r.seconds, r.gops, r.mac_utilisation, layer.bytes_read, layer.bytes_written,
                       r.read_gb_per_s, r.write_gb_per_s);
    for (const base::Cycles cycles : layer.buckets) out += fmt::format(",{}", cycles);
    out += fmt::format(",{}\n", layer.output_hash);
  }
  return out;
}

}  // namespace fansim::report
