// SPDX-License-Identifier: Apache-2.0
#include "cli/drive/drive_ports.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/console.h"
#include "base/data.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "benches/memory/steady_state.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/progress.h"
#include "cli/options/subcommand.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

using benches::SteadyState;
using benches::TrafficFile;

constexpr const char* kUsualBoard = "configs/boards/zcu102_ports.yaml";

std::vector<SteadyState> run(const benches::PathConfig& config, const TrafficFile& file) {
  Progress bar;
  std::vector<SteadyState> states;
  for (const benches::TrafficCase& one : file.cases) {
    bar.show(static_cast<double>(states.size()) / static_cast<double>(file.cases.size()));
    states.push_back(benches::find_steady_state(config, one.traffic, [] { base::stop_if_interrupted(); }));
  }
  return states;
}

// Appends the measured values to the rows of the file.
std::string rows_csv(const TrafficFile& file, const std::vector<SteadyState>& states) {
  std::vector<std::string> lines(file.rows.size());
  for (std::size_t r = 0; r < lines.size(); ++r)
    for (const base::CsvCell& cell : file.rows[r]) lines[r] += cell.text + ",";
  lines[0] += "MB_per_s,latency_cycles,in_flight";
  for (std::size_t c = 0; c < states.size(); ++c)
    for (std::size_t i = 0; i < file.cases[c].rows.size(); ++i) {
      const benches::Rate& rate = states[c].rates[i];
      lines[file.cases[c].rows[i]] +=
          fmt::format("{:.2f},{:.2f},{:.3f}", rate.mb_per_s, rate.latency_cycles, rate.in_flight);
    }
  std::string csv;
  for (const std::string& line : lines) csv += line + "\n";
  return csv;
}

// Writes one line per case, and says which cases did not settle.
std::string summary(const benches::PathConfig& config, const TrafficFile& file,
                    const std::vector<SteadyState>& states) {
  report::Table table(1);
  table.row({"case", "generators", "MB/s", "steady from cycle", "measured over", ""});
  table.rule();
  std::size_t settled = 0;
  for (std::size_t c = 0; c < states.size(); ++c) {
    const SteadyState& state = states[c];
    double sum = 0;
    for (const benches::Rate& rate : state.rates) sum += rate.mb_per_s;
    settled += state.steady;
    table.row({file.cases[c].name, std::to_string(state.rates.size()), fmt::format("{:.1f}", sum),
               report::grouped(state.from), report::grouped(state.cycles), state.steady ? "" : "not settled"});
  }
  return fmt::format("{}, {} MHz, mapping {}: {} cases, {} of them settled within 0.1 %\n\n", config.name,
                     config.clock_mhz.text(), config.mapping, states.size(), settled) +
         table.text();
}

}  // namespace

int drive_ports(const Arguments& arguments) {
  Options options("drive ports");
  options.positional("TRAFFIC.csv", true)
      .value("config", "CONFIG", fmt::format("the board's memory path; {} otherwise", kUsualBoard))
      .values("set", "KEY=VALUE", "a key of the configuration, such as clock_mhz or mapping; may repeat")
      .value("out", "F.csv", "the rows with MB_per_s, latency_cycles and in_flight, instead of standard output");
  options.example("drive ports traces/zcu102_ports.csv", "bandwidth and latency of each port");
  if (!options.parse(arguments)) return kDone;
  const std::string board = options.has("config") ? options.text("config") : base::data_path(kUsualBoard);
  const benches::PathConfig config = benches::load_path(board, options.list("set"));
  const std::string name = options.text("TRAFFIC.csv");
  const TrafficFile file = benches::parse_traffic(base::read_file(name), name, config);
  const std::string out = options.text("out", "-");
  base::check_outputs({out});

  const std::vector<SteadyState> states = run(config, file);
  base::write_file(out, rows_csv(file, states));
  (base::is_standard_output(out) ? base::print_error_text : base::print_text)(summary(config, file, states));
  return kDone;
}

void describe_drive_ports() {
  base::print(
      "drive ports TRAFFIC.csv: the ports of a board's memory under generators (docs/boards.md), columns case, port, "
      "write, burst_bytes, stride_bytes, base, window_bytes\n\n");
  report::Table fields(5);
  fields.row({"--set", "type", "allowed", "default", "meaning"});
  fields.rule();
  benches::PathConfig config;
  config.visit_blocks([&](const char* block, auto& part) {
    for (const base::FieldRow& row : base::field_rows(part))
      fields.row({fmt::format("{}.{}", block, row.name), row.type, row.allowed, row.fallback, row.doc});
  });
  base::print_text(fields.text());
  base::print("\nmemory.*: `describe ddr`, ddr.part; clock_mhz, data_bits: of the ports; mapping: the memory's\n");
}

}  // namespace fansim::cli
