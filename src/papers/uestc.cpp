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

constexpr const char* kStreamConfig = "configs/systems/zcu102_stream.yaml";

// Holds one network's published figures (thesis, chapter 5).
struct Workload {
  const char* name;
  const char* model;
  double milliseconds;     // Table 5-8
  double stated_gop;       // derived: the published rate times the published time
  double stated_gops;      // Table 5-8
  double real_gops;        // operations counted from the layers, over the published time
  double stated_gops_dsp;  // Tables 5-9 and 5-10
  double stated_gops_w;    // Table 5-5, over the dynamic power
  double cpu_gops_w;       // Table 5-5
  double stated_gain;      // 5.3.2
  const char* real_source;
};

// Holds a third party's accelerator from Tables 5-9 and 5-10.
struct Other {
  const char* name;
  const char* network;  // the workload that it is compared with
  double dsp, gops, gops_dsp;
};
constexpr Other kOthers[] = {{"[52], Virtex-7, 200 MHz", "VGG-16", 1436, 270, 0.188},
                             {"[53], Pynq-Z2, 100 MHz", "VGG-16", 160, 20.53, 0.128},
                             {"[51], Arria-10, 150 MHz", "VGG-16", 1518, 645.25, 0.425},
                             {"[54], Stratix-V, 150 MHz", "LSTM-256", 2072, 316, 0.153},
                             {"[55], Zynq7, 142 MHz", "LSTM-256", 900, 221, 0.246}};

constexpr Workload kWorkloads[] = {
    {"VGG-16", "models/vgg16.yaml", 313, 43.5, 139, 98.9, 0.454, 33.71, 0.63, 53.5,
     "derived: 30.94 GOP counted from the layers in the published 313 ms; the stated 43 GOP fits no 224 x 224 VGG-16; "
     "simulated: by the fitted time"},
    {"LSTM-256", "models/lstm256.yaml", 31, 2.6, 81, 83.0, 0.265, 19.64, 0.54, 36.3,
     "derived: 1000 steps, 2.572 GOP counted from the layer, in the published 31 ms; simulated: by the fitted time"},
};

// Returns the dynamic power as the thesis counts it: with the processing system, without the static power.
double dynamic_w(const estimate::Power& power) { return power.processing_system_w + power.blocks_w(); }

void add_workload(std::vector<Row>& rows, const Workload& w, double clock_hz, const estimate::Estimate& cost) {
  const runs::Run run = timed(kStreamConfig, base::data_path(w.model));
  const contract::LayerResult total = run.total();
  const double seconds = run.seconds(total.cycles), cycles = static_cast<double>(total.cycles);
  const double stated_gops = w.stated_gop / seconds;
  const auto add = [&](const std::string& quantity, const char* unit, double published, std::optional<double> simulated,
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
  const double per_dsp = stated_gops / cost.total.dsp, per_w = stated_gops / dynamic_w(cost.power);
  add("throughput per DSP, operations as stated", "GOPS/DSP", w.stated_gops_dsp, per_dsp, {},
      report::fitted("Tables 5-9 and 5-10"));
  for (const Other& other : kOthers)
    if (other.network == std::string(w.name))
      add(fmt::format("throughput per DSP beside {}", other.name), "x", w.stated_gops_dsp / other.gops_dsp,
          per_dsp / other.gops_dsp, {},
          report::fitted(
              fmt::format("Tables 5-9 and 5-10: {} GOPS on {} DSP, {} each; derived: the thesis's own over it",
                          other.gops, other.dsp, other.gops_dsp)));
  add("throughput per watt, operations as stated", "GOPS/W", w.stated_gops_w, per_w, {},
      report::fitted("Table 5-5: over the dynamic power; 2.6 W of the simulated are a constant solved from it"));
  add("throughput per watt of the E5-2665", "GOPS/W", w.cpu_gops_w, {}, {},
      "Table 5-5: a CPU at 2,400 MHz and 93 W, which nothing here models");
  add("throughput per watt beside the E5-2665's", "x", w.stated_gain, per_w / w.cpu_gops_w, {},
      report::fitted("5.3.2; simulated: over the published figure of the CPU"));
}

void add_resources(std::vector<Row>& rows, double clock_hz, const estimate::Estimate& cost) {
  const auto add = [&](const char* quantity, const char* unit, double published, std::optional<double> estimated,
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
  const double dynamic = dynamic_w(cost.power);
  add("power, dynamic", "W", estimate::coefficients::kThesisDynamicW, dynamic, {},
      report::fitted("5.3.2; simulated: 2.6 W of processing system are a constant solved from this figure"));
  add("power, static", "W", 0.334, cost.power.static_w, 0, report::sets_parameter("5.3.2"));
  add("the processing system's share of the dynamic power", "%", 60, 100 * cost.power.processing_system_w / dynamic, {},
      report::fitted("5.3.2: more than that; its 2.6 W were chosen for it"));
  add("the static share of the power", "%", 7, 100 * cost.power.static_w / cost.power.total_w(), {},
      report::fitted("5.3.2"));
  add("worst slack, setup", "ns", 0.041, 1e9 / clock_hz - 1e9 / cost.fmax.hz, {},
      report::fitted("Table 5-6, after place and route; the delay of a net was chosen for it (docs/estimate.md)"));
  add("worst slack, hold", "ns", 0.010, {}, {}, "Table 5-6; hold times are not modelled");
  add("worst slack, pulse width", "ns", 0.145, {}, {}, "Table 5-7; pulse widths are not modelled");
}

}  // namespace

Reproduction reproduce_uestc() {
  const stream::Config config = stream::Config::read(base::data_path(kStreamConfig), {});
  const estimate::Estimate cost = cost_of(config);
  std::vector<Row> rows;
  for (const Workload& workload : kWorkloads) add_workload(rows, workload, config.clock_hz(), cost);
  add_resources(rows, config.clock_hz(), cost);
  return {rows, {}, {}};
}

}  // namespace fansim::papers
