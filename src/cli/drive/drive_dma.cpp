// SPDX-License-Identifier: Apache-2.0
#include "cli/drive/drive_dma.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/console.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "benches/dma_stimulus.h"
#include "benches/drive_dma.h"
#include "cli/options/exit_code.h"
#include "report/table.h"
#include "sim/violation.h"

namespace fansim::cli {
namespace {

std::string summary_of(const benches::DmaBench& bench) {
  report::Table table(2);
  table.row({"block", "statistic", "value", "unit"});
  table.rule();
  for (const sim::Module* module : bench.modules())
    for (const sim::Counter* counter : module->counters())
      table.row({module->name(), counter->name, report::grouped(counter->value()), counter->unit});
  return table.text();
}

}  // namespace

int drive_dma(const Options& options) {
  if (options.has("vcd")) throw base::UserError("drive dma: --vcd is for primitives; the ports' events are in --out");
  const benches::DmaBenchConfig config = benches::dma_bench_config(options.list("set"));
  const std::string file = options.text("STIMULUS.csv");
  const std::string out = options.text("out", "-");
  const auto memory_bytes = static_cast<std::uint64_t>(config.memory.kib) * 1024;
  std::vector<benches::DmaOp> ops = benches::parse_dma_stimulus(base::read_file(file), file, memory_bytes);
  base::check_outputs({out});

  benches::DmaBench bench("bench", config, std::move(ops));
  try {
    bench.run(base::interrupted);
  } catch (const sim::Violation&) {
    base::write_file(out, benches::events_csv(bench.events()));  // the events until it got stuck
    bench.refuse_vain_wait();
    throw;
  }
  base::stop_if_interrupted();
  base::write_file(out, benches::events_csv(bench.events()));
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(summary_of(bench));
  return kDone;
}

void describe_drive_dma() {
  base::print("drive dma STIMULUS.csv: one AXI DMA (PG021), one step a row, each after the one before\n\n");
  report::Table steps(4);
  steps.row({"op", "address", "value", "meaning"});
  steps.rule();
  for (const benches::DmaOpHelp& op : benches::dma_ops()) steps.row({op.name, op.address, op.value, op.meaning});
  base::print_text(steps.text());
  base::print("\ncolumn cycle (may be absent or empty): the step waits for this clock edge\n\n");
  report::Table fields(4);
  fields.row({"--set", "allowed", "default", "meaning"});
  fields.rule();
  benches::dma_bench_config({}).visit_blocks([&](const std::string& key, const auto& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      fields.row({key + "." + row.name, row.allowed, row.fallback, row.doc});
  });
  base::print_text(fields.text());
}

}  // namespace fansim::cli
