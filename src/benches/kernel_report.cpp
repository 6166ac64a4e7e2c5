// SPDX-License-Identifier: Apache-2.0
#include "benches/kernel_report.h"

#include <fmt/format.h>

#include "report/table.h"

namespace fansim::benches {

std::string kernel_summary(const KernelStimulus& stimulus, const KernelBench& bench) {
  const contract::LutKernelConfig& config = stimulus.config;
  const arith::LutKernel kernel(config.format);
  const KernelErrors errors = errors_of(stimulus, bench.sums());
  report::Table table(3);
  table.row({"statistic", "value", "unit"});
  table.rule();
  table.row({"sums", report::grouped(static_cast<std::int64_t>(bench.sums().size())), "vectors"});
  table.row({"last sum", report::grouped(bench.sums().back().edge), "cycle"});
  table.row({"output", fmt::format("{} bits from 2^{}", kernel.output_bits(), kernel.output_bit()), "-"});
  table.row({"largest error", fmt::format("{:.6f}", errors.most), "ulp"});
  table.row({"mean error", fmt::format("{:.6f}", errors.mean), "ulp"});
  table.row({"error below", config.format.faithful ? "1" : "exact", "ulp"});
  table.row({"tables", report::grouped(config.table_luts()), "LUTs"});
  table.row({"compressor tree", report::grouped(config.tree_luts()), "LUTs"});
  for (const sim::Module* module : bench.modules())
    for (const sim::Counter* counter : module->counters())
      table.row(
          {fmt::format("{}.{}", module->basename(), counter->name), report::grouped(counter->value()), counter->unit});
  return table.text();
}

std::string kernel_costs() {
  report::Table table(8);
  table.row({"inputs", "bits", "address bits", "tables", "tree", "faithful: tables", "tree", "cycles of reload"});
  table.rule();
  for (const int inputs : {9, 25, 49}) {
    for (const int bits : {8, 12, 16}) {
      for (const int address_bits : {4, 5}) {
        std::vector<std::string> row{std::to_string(inputs), std::to_string(bits), std::to_string(address_bits)};
        for (const bool faithful : {false, true}) {
          contract::LutKernelConfig kernel{{inputs, bits, bits, faithful}, false};
          kernel.format.slice_bits = address_bits;
          for (const int luts : {kernel.table_luts(), kernel.tree_luts()}) row.push_back(report::grouped(luts));
        }
        row.push_back(std::to_string(arith::kReloadCycles));
        table.row(row);
      }
    }
  }
  return table.text();
}

}  // namespace fansim::benches
