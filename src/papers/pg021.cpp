// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "base/child_process.h"
#include "base/csv.h"
#include "base/data.h"
#include "benches/drive_dma.h"
#include "papers/papers.h"

namespace fansim::papers {
namespace {

using report::Row;

constexpr const char* kStimulus = "traces/dma_pg021.csv";  // used with configs/parts/axi_dma_bench.yaml
constexpr double kBytes = 10000;
constexpr double kBytesPerCycle = 4;
constexpr double kTolerance = 5;

// Maps each kind of event to its cycles, in order.
using Cycles = std::map<std::string, std::vector<std::int64_t>>;

Cycles simulate() {
  const std::string events = base::in_child_process([] {
    const std::string file = base::data_path(kStimulus);
    return benches::events_csv(benches::drive_dma(file, {}));
  });
  Cycles cycles;
  for (const base::CsvRow& row : base::parse_csv(events, kStimulus)) {
    if (row[0].text == "cycle") continue;
    const std::string event = row[1].text == "write" ? "write " + row[2].text : row[1].text;
    cycles[event].push_back(std::stoll(row[0].text));
  }
  return cycles;
}

Row row(const std::string& quantity, const char* unit, double published, double simulated, bool judged,
        const report::Source& source) {
  return {"pg021", quantity, unit, published, simulated, judged ? std::optional(kTolerance) : std::nullopt, source};
}

void add_throughput(std::vector<Row>& rows, const char* channel, std::int64_t cycles, double percent, double mb_per_s,
                    const report::Source& source) {
  const double share = kBytes / kBytesPerCycle / static_cast<double>(cycles);
  rows.push_back(row(fmt::format("{} share of theoretical", channel), "%", percent, 100 * share, true, source));
  rows.push_back(row(fmt::format("{} throughput", channel), "MB/s", mb_per_s, share * kBytesPerCycle * 100, false,
                     {source.claim, "Table 2; the same measurement at 100 MHz"}));
}

}  // namespace

Reproduction reproduce_pg021() {
  Cycles at = simulate();
  const auto first = [&](const char* event) { return at.at(event).front(); };
  const auto last = [&](const char* event) { return at.at(event).back(); };
  std::vector<Row> rows;
  const auto latency = [&](const char* quantity, double published, std::int64_t simulated, const char* source) {
    rows.push_back(
        row(quantity, "cycles", published, static_cast<double>(simulated), true, report::sets_parameter(source)));
  };
  latency("MM2S tail descriptor write to sg_arvalid", 10, first("sg_arvalid") - first("write 0x10"),
          "Table 1; it sets dma.sg_start");
  latency("sg_arvalid to mm2s_arvalid", 28, first("mm2s_arvalid") - first("sg_arvalid"),
          "Table 1; it sets dma.sg_command, given 3 of memory, 8 words and PG022's 8 from command to arvalid");
  latency("mm2s_arvalid to mm2s_tvalid", 6, first("mm2s_tvalid") - first("mm2s_arvalid"),
          "Table 1; it sets memory.read_latency, given PG022's 3 from rvalid to tvalid");
  latency("S2MM tail descriptor write to sg_arvalid", 10, last("sg_arvalid") - first("write 0x40"),
          "Table 1; dma.sg_start again");
  latency("s2mm_tvalid to s2mm_awvalid", 39, first("s2mm_awvalid") - first("s2mm_tvalid"),
          "Table 1; it sets dma.s2mm_store, given the 16 beats of a burst");
  add_throughput(rows, "MM2S", last("mm2s_tlast") - first("mm2s_arvalid") + 1, 99.76, 399.04,
                 "Table 2, first arvalid to tlast; follows from the latency of Table 1; no constant was chosen for it");
  add_throughput(
      rows, "S2MM", last("s2mm_wlast") - first("s2mm_tvalid") + 1, 74.64, 298.59,
      report::fitted("Table 2, first tvalid to last wlast; dma.s2mm_gap is a fit to this figure, without a citation"));
  return {rows, {}, {}};
}

}  // namespace fansim::papers
