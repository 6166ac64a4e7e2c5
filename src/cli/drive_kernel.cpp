// SPDX-License-Identifier: Apache-2.0
#include "cli/drive_kernel.h"

#include <fmt/format.h>

#include "base/console.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "benches/kernel_bench.h"
#include "cli/exit_code.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

std::string summary_of(const benches::KernelStimulus& stimulus, const benches::KernelBench& bench) {
  const contract::LutKernelConfig& config = stimulus.config;
  const arith::LutKernel kernel(config.format);
  const benches::KernelErrors errors = benches::errors_of(stimulus, bench.sums());
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

// Both sizes of a table, all bits and faithful.
void print_costs() {
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
  base::print_text(table.text());
}

}  // namespace

int drive_kernel(const Options& options) {
  if (options.has("vcd")) throw base::UserError("drive lut_kernel: --vcd is for primitives; its sums are in --out");
  const std::string file = options.text("STIMULUS.csv");
  const std::string out = options.text("out", "-");
  const benches::KernelStimulus stimulus =
      benches::parse_kernel_stimulus(base::read_file(file), file, options.list("set"));
  base::check_outputs({out});

  benches::KernelBench bench("bench", stimulus);
  bench.run(base::interrupted);
  base::stop_if_interrupted();
  base::write_file(out, benches::sums_csv(stimulus, bench.sums()));
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(summary_of(stimulus, bench));
  return kDone;
}

void describe_kernel() {
  base::print(
      "drive lut_kernel STIMULUS.csv: one reconfigurable-LUT kernel (docs/lut_kernels.md), columns op, v0, v1, "
      "...\n\n");
  report::Table ops(2);
  ops.row({"op", "v0, v1, ..."});
  ops.rule();
  ops.row({"coefficients", "contents of the tables for the inputs below"});
  ops.row({"inputs", "a vector, whose sum is a row of the output"});
  report::Table fields(4);
  fields.row({"--set", "allowed", "default", "meaning"});
  fields.rule();
  for (const base::FieldRow& row : base::field_rows<contract::LutKernelConfig>())
    fields.row({row.name, row.allowed, row.fallback, row.doc});
  base::print("{}\n{}\nLUTs, without shadow tables; a table of 4 address bits gives two bits a LUT, one of 5 one:\n\n",
              ops.text(), fields.text());
  print_costs();
}

}  // namespace fansim::cli
