// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "blocks/dual_int8_chain.h"
#include "papers/papers.h"

namespace fansim::papers {
namespace {

using blocks::DualInt8Chain;
using blocks::Int8Pairs;
using contract::DualInt8Config;

// All terms at the same ends of their ranges: with these the two sums of a chain reach their own ends.
std::vector<Int8Pairs> extreme_beats(const DualInt8Config& config) {
  std::vector<Int8Pairs> beats;
  for (const int high : {config.pair().lo, config.pair().hi})
    for (const int low : {config.pair().lo, config.pair().hi})
      for (const int shared : {config.factor().lo, config.factor().hi}) {
        beats.emplace_back();
        beats.back().high.fill(static_cast<std::int16_t>(high));
        beats.back().low.fill(static_cast<std::int16_t>(low));
        beats.back().shared.fill(static_cast<std::int16_t>(shared));
      }
  return beats;
}

struct Measured {
  bool exact = true;
  int slices = 0;
  double maccs_per_beat = 0;  // a beat enters at every clock
};

Measured run(const DualInt8Config& config) {
  const std::vector<Int8Pairs> beats = extreme_beats(config);
  DualInt8Chain chain(config);
  Measured measured;
  const std::size_t delay = static_cast<std::size_t>(config.latency()) - 1;
  for (std::size_t edge = 0; edge < beats.size() + delay; ++edge) {
    chain.step(edge < beats.size() ? &beats[edge] : nullptr);
    if (edge < delay) continue;
    const Int8Pairs& beat = beats[edge - delay];
    const blocks::Int8Sums sums = chain.sums();
    measured.exact = measured.exact && sums.high == config.terms * beat.high[0] * beat.shared[0] &&
                     sums.low == config.terms * beat.low[0] * beat.shared[0];
  }
  measured.slices = chain.slices();
  measured.maccs_per_beat = static_cast<double>(chain.maccs()) / static_cast<double>(beats.size());
  return measured;
}

// The longest chain that the slices still sum exactly.
DualInt8Config longest_exact(DualInt8Config config) {
  for (config.terms = 1; config.terms <= DualInt8Config::kMaxTerms && run(config).exact;) ++config.terms;
  if (--config.terms == 0) throw std::logic_error("wp490: not even a chain of one term sums exactly");
  return config;
}

}  // namespace

Reproduction reproduce_wp490() {
  const DualInt8Config int8 = longest_exact({});
  const Measured packed = run(int8);
  DualInt8Config uint8;
  uint8.unsigned_activations = true;
  const Measured full_weights = run(longest_exact(uint8));
  uint8.lowest_weight = -127, uint8.shift = 19;
  const Measured symmetric_weights = run(longest_exact(uint8));

  const auto per_slice = [](const Measured& m) { return m.maccs_per_beat / m.slices; };
  const char* where = "section \"Scalable INT8 Optimization\"";
  const char* mapping = "section \"Mapping INT8 Optimization to Deep Learning Applications\"";
  return {{
              {"wp490", "products summed before the low sum overflows", "terms", 7, int8.terms, 0, where},
              {"wp490", "INT8 multiply-accumulates of a chain", "MACC", 14, packed.maccs_per_beat, 0, mapping},
              {"wp490", "slices of a chain", "DSP48E2", 8, packed.slices, 0, mapping},
              {"wp490", "INT8 multiply-accumulates per slice", "MACC/DSP", 1.75, per_slice(packed), 0, mapping},
              {"wp490", "the same with unsigned activations, weights -127..127", "MACC/DSP", 1.78,
               per_slice(symmetric_weights), 1,
               std::string(where) + "; it does not say how: here 19 bits hold 8 terms when no weight is -128"},
              {"wp490",
               "the same with unsigned activations, weights -128..127",
               "MACC/DSP",
               {},
               per_slice(full_weights),
               {},
               report::derived("derived: 18 bits hold 4 terms of 255 x -128")},
              {"wp490",
               "efficiency beside the compared devices",
               "x",
               {},
               {},
               0,
               "Figure 10; its bars cannot be read any more"},
          },
          {},
          {}};
}

}  // namespace fansim::papers
