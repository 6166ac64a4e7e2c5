// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/tiled/estimate/estimate.h"
#include "accelerators/tiled/estimate/macs.h"
#include "base/data.h"
#include "papers/faq_parts.h"

namespace fansim::papers {
namespace {

// Holds a build's estimate, and gives it in percent of the device.
struct Build {
  explicit Build(const char* name)
      : config(tiled::Config::read(base::data_path(fmt::format("configs/systems/faq_zcu102_{}.yaml", name)), {})),
        cost(cost_of(config)) {}

  double lut_percent(const contract::Resources& use) const { return 100.0 * use.lut / config.device.lut; }
  double dsp_percent(const contract::Resources& use) const { return 100.0 * use.dsp / config.device.dsp; }
  double bram_percent(const contract::Resources& use) const { return 100.0 * use.bram36 / config.device.bram36; }
  double lut_percent() const { return lut_percent(cost.total); }
  double dsp_percent() const { return dsp_percent(cost.total); }

  tiled::Config config;
  estimate::Estimate cost;
};

void add_table1(FaqRows& rows) {
  const auto luts = [](const char* method, int weight_bits, int activation_bits, tiled::MacGrain grain) {
    return tiled::luts_per_mac({method, weight_bits, activation_bits, grain});
  };
  using tiled::MacGrain;
  rows.add("LUTs of a MAC, DoReFa 8 x 8 bit", "LUTs", 89, luts("dorefa", 8, 8, MacGrain::coarse), 0,
           report::sets_parameter("4.3, Table 1"));
  rows.add("LUTs of a MAC, BNN, fine", "LUTs", 6, luts("bnn", 1, 1, MacGrain::fine), 0,
           report::sets_parameter("4.3, Table 1"));
  const char* where = "Table 1; its cells cannot be read any more; here counted, the widths ours";
  rows.lost("LUTs of a MAC, BNN, coarse", "LUTs", luts("bnn", 1, 1, MacGrain::coarse), where);
  rows.lost("LUTs of a MAC, PoT 4 x 8 bit, fine", "LUTs", luts("pot", 4, 8, MacGrain::fine), where);
  rows.lost("LUTs of a MAC, PoT 4 x 8 bit, coarse", "LUTs", luts("pot", 4, 8, MacGrain::coarse), where);
  rows.lost("LUTs of a MAC, VecQ 4 x 8 bit", "LUTs", luts("vecq", 4, 8, MacGrain::coarse), where);
}

void add_table3(FaqRows& rows, const Build& joint) {
  const Build dsp("dorefa8_dsp"), lut("dorefa8_lut"), bnn("bnn");
  rows.add("LUT, slices and LUTs", "%", 82.36, joint.lut_percent(), 1,
           report::fitted("Table 3; a constant is fitted to it: no proof"));
  rows.add("DSP, slices and LUTs", "%", 99.17, joint.dsp_percent(), 1,
           report::fitted("Table 3; the 99 channels on slices were chosen for it"));
  rows.add("LUT, MACs on slices", "%", 39.98, dsp.lut_percent(), 5, report::fitted("Table 3; the factors are ours"));
  rows.add("DSP, MACs in LUTs", "%", 4.52, lut.dsp_percent(), 1,
           report::fitted("Table 3; a constant is fitted to it: no proof"));
  rows.add("LUT, BNN", "%", 66.40, bnn.lut_percent(), 5,
           report::fitted("Table 3; 128 x 64 MACs are ours, their product is derived"));
  const char* where = "Table 3; its cells cannot be read any more; the factors are ours";
  rows.lost("DSP, MACs on slices", "%", dsp.dsp_percent(), where);
  rows.lost("LUT, MACs in LUTs", "%", lut.lut_percent(), where);
  rows.lost("DSP, BNN", "%", bnn.dsp_percent(), where);
  for (const char* name : {"tnn", "pot", "vecq", "mul2q"}) {
    const Build build(name);
    rows.lost(fmt::format("LUT, {}", name), "%", build.lut_percent(), where);
  }
}

// The counts of the Caffeine build are lost. The paper says that its own build has 2.3 times the slices and 1.67 times
// the LUTs, so Caffeine has 99.17 % / 2.3 and 82.36 % / 1.67 of the device.
void add_caffeine(FaqRows& rows, const Build& joint) {
  constexpr double kDspRatio = 2.3, kLutRatio = 1.67;
  const char* where =
      "4.5; Caffeine's own count in Table 4 is lost: derived from this ratio and Table 3, so that it says what Table "
      "3's "
      "row says";
  rows.add("DSP slices beside Caffeine's", "x", kDspRatio, joint.dsp_percent() / (99.17 / kDspRatio), {},
           report::fitted(where));
  rows.add("LUTs beside Caffeine's", "x", kLutRatio, joint.lut_percent() / (82.36 / kLutRatio), {},
           report::fitted(where));
}

void add_figure9(FaqRows& rows, const Build& joint) {
  const contract::Resources conv = tiled::engine_use(joint.cost.blocks, "conv");
  const contract::Resources first = tiled::engine_use(joint.cost.blocks, "first");
  const contract::Resources fc = tiled::engine_use(joint.cost.blocks, "fc");
  rows.add("LUT of the convolution engine", "%", 60, joint.lut_percent(conv), 10, "4.5, Figure 9: about 60 %");
  rows.add("DSP of the convolution engine", "%", 95, joint.dsp_percent(conv), 1, "4.5, Figure 9");
  rows.lost("BRAM of the convolution engine", "%", joint.bram_percent(conv),
            "Figure 9; its bars cannot be read any more");
  // The share of the slices cannot be a tenth, because 95 % of a total of 99.17 % leaves 4.2 %.
  const char* share =
      "4.5, Figure 9: about 10 % of the resources, not said of which; its factors are lost, ours suffice for the "
      "bandwidth";
  rows.add("resources of the FC engine, LUT", "%", 10, joint.lut_percent(fc), 20, share);
  rows.add("resources of the FC engine, BRAM", "%", 10, joint.bram_percent(fc), {}, share);
  rows.lost("resources of the FC engine, DSP", "%", joint.dsp_percent(fc),
            "Figure 9; its bars cannot be read any more; 99.17 % in all (Table 3) leave 4.2 % beside the 95 %");
  rows.lost("LUT of conv1's engine", "%", joint.lut_percent(first), "Figure 9 leaves it out");
}

}  // namespace

void add_faq_resources(FaqRows& rows) {
  const Build joint("dorefa8");
  add_table1(rows);
  add_table3(rows, joint);
  add_caffeine(rows, joint);
  add_figure9(rows, joint);
}

}  // namespace fansim::papers
