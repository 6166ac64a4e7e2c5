// SPDX-License-Identifier: Apache-2.0
#include "cli/drive_dma.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/fields.h"
#include "base/file.h"
#include "base/output_files.h"
#include "benches/dma_stimulus.h"
#include "benches/drive_dma.h"
#include "cli/exit_code.h"
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

void write_events(const std::string& file, const std::vector<benches::DmaEvent>& events) {
  if (file.empty())
    std::fputs(benches::events_csv(events).c_str(), stdout);
  else
    base::write_file(file, benches::events_csv(events));
}

}  // namespace

int drive_dma(const Options& options) {
  if (options.has("vcd")) throw base::UserError("drive dma: --vcd is for primitives; the ports' events are in --out");
  const benches::DmaBenchConfig config = benches::dma_bench_config(options.list("set"));
  const std::string file = options.text("STIMULUS.csv");
  const std::string out = options.text("out");
  const auto memory_bytes = static_cast<std::uint64_t>(config.memory.kib) * 1024;
  std::vector<benches::DmaOp> ops = benches::parse_dma_stimulus(base::read_file(file), file, memory_bytes);
  base::check_writable(out);

  benches::DmaBench bench("bench", config, std::move(ops));
  try {
    bench.run();
  } catch (const sim::Violation&) {
    write_events(out, bench.events());  // up to where it stuck
    throw;
  }
  write_events(out, bench.events());
  std::fputs(summary_of(bench).c_str(), out.empty() ? stderr : stdout);
  return kDone;
}

void describe_drive_dma() {
  fmt::print("drive dma STIMULUS.csv: one AXI DMA (PG021), one step a row, each after the one before\n\n");
  report::Table steps(4);
  steps.row({"op", "address", "value", "meaning"});
  steps.rule();
  for (const benches::DmaOpHelp& op : benches::dma_ops()) steps.row({op.name, op.address, op.value, op.meaning});
  std::fputs(steps.text().c_str(), stdout);
  fmt::print("\ncolumn cycle (may be absent or empty): the step waits for this clock edge\n\n");
  report::Table fields(4);
  fields.row({"--set", "allowed", "default", "meaning"});
  fields.rule();
  benches::dma_bench_config({}).visit_blocks([&](const std::string& key, const auto& block) {
    for (const base::FieldRow& row : base::field_rows(block))
      fields.row({key + "." + row.name, row.allowed, row.fallback, row.doc});
  });
  std::fputs(fields.text().c_str(), stdout);
}

}  // namespace fansim::cli
