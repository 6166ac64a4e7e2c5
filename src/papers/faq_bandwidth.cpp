// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/child_process.h"
#include "base/data.h"
#include "benches/bandwidth_bench.h"
#include "papers/faq_parts.h"
#include "papers/papers.h"
#include "papers/zcu102_ceiling.h"
#include "report/line_chart.h"
#include "report/table.h"

namespace fansim::papers {
namespace {

using report::Row;

constexpr const char* kBandwidthConfig = "configs/parts/faq_bandwidth.yaml";
constexpr int kWidths[] = {8, 16, 32, 64, 128, 256, 512};
constexpr int kBurstLengths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
// A long transfer takes several AXI bursts, because a burst ends after 256 beats and at every 4 KiB; the next transfer
// waits for all of them.
constexpr int kLongestBurst = 256;

// Describes a published measurement: the reader that reproduces it, and the units that it may be meant in.
struct Figure {
  const char* quantity;
  double published;
  int data_bits;
  int burst_beats;
  int tile_bytes;
  double binary, decimal;
  const char* binary_unit;
  const char* decimal_unit;
  report::Claim claim;
  const char* source;
};

constexpr Figure kFigures[] = {
    {"256-bit long bursts", 4.77, 256, 256, 0, kGib, 1e9, "GiB/s", "GB/s", report::Claim::published,
     "Table 6; follows from the 128-bit port at 1000/3 MHz less what the path loses to each refresh; no constant was "
     "chosen for it"},
    {"32-bit stream", 715, 32, 16, 0, kMib, 1e6, "MiB/s", "MB/s", report::Claim::fitted,
     "Table 6; bursts of 16 (UG1399, m_axi default) and reader.gap, a fit without a citation"},
    {"FC layer", 4.54, 256, 256, 27648, kGib, 1e9, "GiB/s", "GB/s", report::Claim::published,
     "Table 7; as the long bursts, the path's latency once per 27,648 bytes: the least burst of Table 6, as the tile "
     "of "
     "the FC layers is not published"},
};

benches::BurstReaderConfig reader(const benches::BandwidthConfig& config, int data_bits, int burst_beats,
                                  int tile_bytes) {
  benches::BurstReaderConfig read = config.reader;
  read.data_bits = data_bits;
  read.burst_beats = burst_beats;
  read.tile_bytes = tile_bytes;
  return read;
}

// Charts bandwidth over burst length with a line per width. `rates` holds them width by width.
report::LineChart chart_of(const char* title, const double* rates) {
  report::LineChart chart;
  chart.title = title;
  chart.x_label = "beats per burst";
  chart.y_label = "GiB/s";
  for (const int burst : kBurstLengths) chart.places.push_back(std::to_string(burst));
  for (const int width : kWidths) {
    report::LineChart::Line line{fmt::format("{} bit", width), {}};
    for (std::size_t i = 0; i < std::size(kBurstLengths); ++i) line.values.push_back(*rates++ / kGib);
    chart.lines.push_back(line);
  }
  return chart;
}

// Returns what the longest bursts gain over the shortest, in GiB/s.
double gain(const report::LineChart::Line& line) { return line.values.back() - line.values.front(); }

// Counts the lines that gain more than all lines before them. Figure 7's trend holds if all lines do.
int rising(const report::LineChart& chart) {
  int count = 0;
  double most = 0;
  for (const report::LineChart::Line& line : chart.lines) {
    if (gain(line) > most) ++count;
    most = std::max(most, gain(line));
  }
  return count;
}

// Adds the trend "The wider, the more evident the influence of the burst length" (2.3) of Figure 7, whose curves are
// lost.
void add_trend(std::vector<Row>& rows, const report::LineChart& waiting, const report::LineChart& in_flight) {
  const auto add = [&](const std::string& quantity, const char* unit, std::optional<double> published, double simulated,
                       std::optional<double> tolerance, const report::Source& source) {
    rows.push_back({"faq-bandwidth", quantity, unit, published, simulated, tolerance, source});
  };
  const double all = static_cast<double>(std::size(kWidths));
  add("widths that gain more from long bursts than all narrower, each burst waiting", "widths", all, rising(waiting), 0,
      report::fitted("2.3, Figure 7: all; its curves are lost, that its widths are these seven is inferred, and that a "
                     "burst waits was chosen in view of it (Table 6's bursts of 27 KB are none of AXI's, either)"));
  add("the same, sixteen bursts in flight", "widths", all, rising(in_flight), {},
      "the same figure, were bursts overlapped: the port is full at 256 bit, and at 512 bit even by single beats");
  for (const report::LineChart::Line& line : waiting.lines)
    add(fmt::format("gain from 1 to 256 beats, each burst waiting, {}", line.name), "GiB/s", {}, gain(line), 10,
        "Figure 7; its curves cannot be read any more");
}

std::vector<Row> rows_of(const double* rates) {
  std::vector<Row> rows;
  for (const Figure& f : kFigures)
    rows.push_back(
        {"faq-bandwidth", f.quantity, f.binary_unit, f.published, *rates++ / f.binary, 5, {f.claim, f.source}});
  rates -= std::size(kFigures);
  for (const Figure& f : kFigures)
    rows.push_back({"faq-bandwidth", fmt::format("{}, read as decimal", f.quantity), f.decimal_unit, f.published,
                    *rates++ / f.decimal, std::nullopt, "the same figure, were its unit decimal"});
  return rows;
}

std::string table_of(const report::LineChart& chart) {
  report::Table table(1);
  std::vector<std::string> header{"GiB/s at beats"};
  header.insert(header.end(), chart.places.begin(), chart.places.end());
  table.row(header);
  table.rule();
  for (const report::LineChart::Line& line : chart.lines) {
    std::vector<std::string> cells{line.name};
    for (const double value : line.values) cells.push_back(fmt::format("{:.3f}", value));
    table.row(cells);
  }
  return table.text();
}

// Measures in a process of its own, because a process can elaborate only one machine.
std::vector<double> measured(const benches::BandwidthConfig& config,
                             const std::vector<benches::BurstReaderConfig>& readers) {
  const std::string text = base::in_child_process([&] {
    std::string rates;
    for (const double rate : benches::BandwidthBench(config, readers).measure()) rates += fmt::format("{:a}\n", rate);
    return rates;
  });
  std::vector<double> rates;
  for (const char* at = text.c_str(); *at != 0;) {
    char* end = nullptr;
    rates.push_back(std::strtod(at, &end));
    at = end + 1;
  }
  return rates;
}

}  // namespace

Reproduction reproduce_faq_bandwidth() {
  const benches::BandwidthConfig config = benches::load_bandwidth_bench(base::data_path(kBandwidthConfig), {});
  std::vector<benches::BurstReaderConfig> readers;
  for (const Figure& f : kFigures) readers.push_back(reader(config, f.data_bits, f.burst_beats, f.tile_bytes));
  for (const bool waits : {false, true})
    for (const int width : kWidths)
      for (const int burst : kBurstLengths)
        readers.push_back(waits ? reader(config, width, kLongestBurst, burst * width / 8)
                                : reader(config, width, burst, 0));

  const std::vector<double> rates = measured(config, readers);
  const double* curves = rates.data() + std::size(kFigures);
  const report::LineChart in_flight = chart_of("Read bandwidth through one 128-bit port", curves);
  const report::LineChart waiting = chart_of("The same, each burst waiting for the one before",
                                             curves + std::size(kWidths) * std::size(kBurstLengths));
  const std::string table = fmt::format("\nSixteen bursts in flight\n{}\nEach burst waiting for the one before\n{}",
                                        table_of(in_flight), table_of(waiting));
  std::vector<Row> rows = rows_of(rates.data());
  add_trend(rows, waiting, in_flight);
  for (const Row& row : zcu102_ceiling()) rows.push_back(row);
  return {rows, table, {in_flight, waiting}};
}

}  // namespace fansim::papers
