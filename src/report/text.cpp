// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/run_report.h"
#include "report/table.h"

namespace fansim::report {
namespace {

std::vector<arch::Bucket> used_buckets(const arch::LayerResult& sum) {
  std::vector<arch::Bucket> used;
  for (int b = 0; b < arch::kBuckets; ++b)
    if (sum.buckets[static_cast<std::size_t>(b)] > 0) used.push_back(static_cast<arch::Bucket>(b));
  return used;
}

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f}", 100 * part / whole) : ""; }

std::string answer(const RunReport& report, const arch::LayerResult& sum) {
  const Rates r = rates(sum, report);
  const char* verdict = !report.verified ? "not verified" : *report.verified ? "verified" : "VERIFICATION FAILED";
  return fmt::format("{} on {} ({}): {} cycles, {:.3f} ms at {:.6g} MHz, {:.1f} GOPS, {}\n", report.network.name,
                     report.config.name, report.engine, grouped(sum.cycles), r.seconds * 1e3, report.clock_hz / 1e6,
                     r.gops, verdict);
}

void add_row(Table& table, const RunReport& report, const arch::LayerResult& layer,
             const std::vector<arch::Bucket>& buckets) {
  const Rates r = rates(layer, report);
  std::vector<std::string> cells{layer.name,
                                 layer.type,
                                 grouped(layer.cycles),
                                 fmt::format("{:.3f}", r.seconds * 1e3),
                                 fmt::format("{:.1f}", r.gops),
                                 fmt::format("{:.1f}", 100 * r.mac_utilisation),
                                 fmt::format("{:.3f}", static_cast<double>(layer.bytes_read) / 1e6),
                                 fmt::format("{:.3f}", static_cast<double>(layer.bytes_written) / 1e6)};
  for (const arch::Bucket bucket : buckets) {
    const base::Cycles cycles = layer.buckets[static_cast<std::size_t>(bucket)];
    cells.push_back(percent(static_cast<double>(cycles), static_cast<double>(layer.cycles)));
  }
  table.row(std::move(cells));
}

std::string layer_table(const RunReport& report, const arch::LayerResult& sum) {
  const std::vector<arch::Bucket> buckets = used_buckets(sum);
  Table table(2);
  std::vector<std::string> heads{"layer", "type", "cycles", "ms", "GOPS", "MAC %", "read MB", "written MB"};
  for (const arch::Bucket bucket : buckets) heads.push_back(fmt::format("{} %", name(bucket)));
  table.row(std::move(heads));
  table.rule();
  for (const arch::LayerResult& layer : report.layers) add_row(table, report, layer, buckets);
  if (report.layers.size() > 1) {
    arch::LayerResult last = sum;
    last.name = "total";
    table.rule();
    add_row(table, report, last, buckets);
  }
  return table.text();
}

std::string share(const char* name, double used, int available) {
  return fmt::format("{} {} of {} ({} %)", name, used, available, percent(used, available));
}

std::string design(const RunReport& report) {
  const arch::Resources& use = report.resources;
  const arch::Device& device = report.device;
  std::string out =
      fmt::format("\n{}: {}, {}, {}, {}; Fmax {:.0f} MHz, {:.2f} W (estimated)\n", device.name,
                  share("DSP", use.dsp, device.dsp), share("LUT", use.lut, device.lut), share("FF", use.ff, device.ff),
                  share("BRAM36", use.bram36, device.bram36), report.fmax_hz / 1e6, report.power_w);
  for (const std::string& reason : report.misfits) out += fmt::format("does not fit: {}\n", reason);
  if (report.clock_hz > report.fmax_hz) out += "the clock is faster than the estimated Fmax\n";
  return out;
}

}  // namespace

std::string text(const RunReport& report) {
  const arch::LayerResult sum = total(report);
  std::string out = answer(report, sum) + "\n" + layer_table(report, sum) + design(report);
  if (!report.memory.empty()) out += report.memory + "\n";
  for (const arch::LayerResult& layer : report.layers) {
    if (layer.accumulator_overflows > 0)
      out += fmt::format("{}: {} sums did not fit the accumulator\n", layer.name, grouped(layer.accumulator_overflows));
  }
  return out;
}

}  // namespace fansim::report
