// SPDX-License-Identifier: Apache-2.0
#include "cli/drive/drive_kernel.h"

#include "base/console.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "benches/kernel_bench.h"
#include "benches/kernel_report.h"
#include "cli/options/exit_code.h"
#include "report/table.h"

namespace fansim::cli {
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
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(benches::kernel_summary(stimulus, bench));
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
  base::print_text(benches::kernel_costs());
}

}  // namespace fansim::cli
