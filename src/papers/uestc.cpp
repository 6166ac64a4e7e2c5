// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/estimate/estimate.h"
#include "base/data.h"
#include "estimate/coefficients.h"
#include "papers/papers.h"
#include "papers/timed.h"

namespace fansim::papers {
namespace {

using report::Row;

constexpr const char* kConfig = "configs/systems/zcu102_stream.yaml";

// One network's published figures (thesis, chapter 5).
struct Workload {
  const char* name;
  const char* model;
  double milliseconds;     // Table 5-8
  double stated_gop;       // that gives the published rate in the published time
  double stated_gops;      // Table 5-8
  double real_gops;        // operations counted from the layers, over the published time
  double stated_gops_dsp;  // Tables 5-9 and 5-10
  const char* real_source;
};

constexpr Workload kWorkloads[] = {
    {"VGG-16", "models/vgg16.yaml", 313, 43.5, 139, 98.9, 0.454,
     "derived: 30.94 GOP counted from the layers in the published 313 ms; the stated 43 GOP fits no 224 x 224 VGG-16; "
     "simulated: by the fitted time"},
    {"LSTM-256", "models/lstm256.yaml", 31, 2.6, 81, 83.0, 0.265,
     "derived: 1000 steps, 2.572 GOP counted from the layer, in the published 31 ms; simulated: by the fitted time"},
};

void add_workload(std::vector<Row>& rows, const Workload& w, double clock_hz, int dsp) {
  const runs::Run run = timed(kConfig, base::data_path(w.model));
  const contract::LayerResult total = run.total();
  const double seconds = run.seconds(total.cycles), cycles = static_cast<double>(total.cycles);
  const double stated_gops = w.stated_gop / seconds;
  const auto add = [&](const char* quantity, const char* unit, double published, double simulated,
                       std::optional<double> tolerance, const report::Source& source) {
    rows.push_back({"uestc", fmt::format("{} {}", w.name, quantity), unit, published, simulated, tolerance, source});
  };
  add("time", "ms", w.milliseconds, seconds * 1e3, 10,
      report::fitted("Table 5-8; the host's costs are ours, chosen with it in view"));
  add("cycles", "cycles", w.milliseconds * 1e-3 * clock_hz, cycles, {},
      report::fitted("derived: the published time at 250 MHz; simulated: the time above, which is fitted"));
  add("throughput, operations of the layers", "GOPS", w.real_gops, 2 * static_cast<double>(total.macs) / seconds / 1e9,
      {}, report::fitted(w.real_source));
  add("throughput, operations as stated", "GOPS", w.stated_gops, stated_gops, {},
      report::fitted(fmt::format("Table 5-8; simulated: {} GOP over the simulated time", w.stated_gop)));
  add("throughput per DSP, operations as stated", "GOPS/DSP", w.stated_gops_dsp, stated_gops / dsp, {},
      report::fitted("Tables 5-9 and 5-10"));
}

void add_resources(std::vector<Row>& rows, const estimate::Estimate& cost) {
  const auto add = [&](const char* quantity, const char* unit, double published, double estimated,
                       std::optional<double> tolerance, const report::Source& source) {
    rows.push_back({"uestc", quantity, unit, published, estimated, tolerance, source});
  };
  add("DSP", "slices", 306, cost.total.dsp, 10, "Table 5-4");
  add("BRAM36", "blocks", 146, cost.total.bram36, 10, "Table 5-4");
  add("LUT", "LUTs", 84128, cost.total.lut, 15, "Table 5-4");
  add("FF", "registers", 40099, cost.total.ff, 15, "Table 5-4");
  add("power of the fabric, dynamic", "W",
      estimate::coefficients::kThesisDynamicW - estimate::coefficients::kProcessingSystemW, cost.power.blocks_w(), 15,
      report::derived("Figure 5-6, derived: 4.123 W dynamic less 2.6 W for the processing system, of which 5.3.2 says "
                      "more than 60 %"));
  add("power", "W", 4.457, cost.power.total_w(), {},
      report::fitted("Figure 5-6; simulated: 2.6 W of processing system and 0.334 W static of it are constants solved "
                     "from this figure"));
}

}  // namespace

Reproduction reproduce_uestc() {
  const stream::Config config = stream::Config::read(base::data_path(kConfig), {});
  const estimate::Estimate cost = cost_of(config);
  std::vector<Row> rows;
  for (const Workload& workload : kWorkloads) add_workload(rows, workload, config.clock_hz(), cost.total.dsp);
  add_resources(rows, cost);
  return {rows, {}, {}};
}

}  // namespace fansim::papers
