// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/estimate/estimate.h"
#include "accelerators/vision/config/config.h"
#include "accelerators/vision/estimate/estimate.h"
#include "base/data.h"
#include "blocks/dual_int8_chain.h"
#include "contract/config_file.h"
#include "papers/papers.h"
#include "papers/timed.h"
#include "primitives/dual_int8.h"

namespace fansim::papers {
namespace {

using blocks::DualInt8Chain;
using blocks::Int8Pairs;
using contract::DualInt8Config;

// Sets all terms to the same ends of their ranges; with these beats the two sums of a chain reach their own ends.
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
  double maccs_per_beat = 0;  // a beat enters every clock cycle
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

// Returns the longest chain whose sums are still exact.
DualInt8Config longest_exact(DualInt8Config config) {
  for (config.terms = 1; config.terms <= DualInt8Config::kMaxTerms && run(config).exact;) ++config.terms;
  if (--config.terms == 0) throw std::logic_error("wp490: not even a chain of one term sums exactly");
  return config;
}

constexpr int kBits = 8, kLowest = -128, kHighest = 127;  // INT8

// Returns the two's complement width that holds both.
int bits_of(std::int64_t lowest, std::int64_t highest) {
  int bits = 1;
  while (lowest < -(std::int64_t{1} << (bits - 1)) || highest >= std::int64_t{1} << (bits - 1)) ++bits;
  return bits;
}

// Returns whether ((a << shift) + b) * c gives back a * c and b * c for all operands.
bool separates(int shift) {
  for (int b = kLowest; b <= kHighest; ++b)
    for (int c = kLowest; c <= kHighest; ++c)
      for (int a = kLowest; a <= kHighest; ++a) {
        const auto products = primitives::unpack_int8((std::int64_t{a} * (1 << shift) + b) * c, shift);
        if (products.high != a * c || products.low != b * c) return false;
      }
  return true;
}

struct Packing {
  int shift = 1;         // the smallest that keeps the products apart
  int sum_bits = 0;      // width of (a << shift) + b
  int product_bits = 0;  // width of ((a << shift) + b) * c
};

Packing narrowest_packing() {
  Packing p;
  while (!separates(p.shift)) ++p.shift;
  const auto pair = [&](int a, int b) { return std::int64_t{a} * (1 << p.shift) + b; };
  const std::int64_t lowest = pair(kLowest, kLowest), highest = pair(kHighest, kHighest);
  p.sum_bits = bits_of(lowest, highest);
  p.product_bits =
      bits_of(std::min(lowest * kHighest, highest * kLowest), std::max(lowest * kLowest, highest * kHighest));
  return p;
}

// Returns the INT8 products of one multiplier whose wider input has `input_bits` bits.
int products_of(int input_bits, const Packing& narrowest) { return input_bits >= narrowest.shift + kBits ? 2 : 1; }

// Returns the multiply-accumulates per slice of the array, in the cycles in which it computes.
double machine_per_slice(const std::vector<std::string>& shape, const char* layer) {
  const char* const system = "configs/systems/zcu102_int8_chain.yaml";
  const runs::Run run = timed(system, base::data_path("models/vgg16.yaml"), shape, layer);
  const estimate::Estimate cost = stream::cost_of(stream::Config::read(base::data_path(system), shape));
  const auto array = std::find_if(cost.blocks.begin(), cost.blocks.end(),
                                  [](const estimate::BlockUse& block) { return block.name == "mac_array"; });
  const contract::LayerResult& result = run.layer(layer);
  return static_cast<double>(result.macs) / static_cast<double>(run.cycles_of(result, "compute")) / array->use.dsp;
}

// Returns the same for a filter of the vision accelerator, in the cycles in which samples stream into it.
double filter_per_slice(int kernel, bool rebase) {
  const char* const system = "configs/systems/vision_zcu102.yaml";
  const std::vector<std::string> shape{fmt::format("filter.kernel={}", kernel), "filter.banks=1",
                                       fmt::format("filter.rebase={}", rebase)};
  const std::string stage = fmt::format("filter{}", kernel);
  const runs::Run run = timed(system, base::data_path("models/pipelines/filters.yaml"), shape, stage);
  const contract::LayerResult& result = run.layer(stage);
  return static_cast<double>(result.macs) / static_cast<double>(run.cycles_of(result, "stream")) /
         vision::filter_slices(vision::Config::read(base::data_path(system), shape));
}

using report::Row;

contract::Device device(const char* name) {
  return contract::load_device(base::data_path(fmt::format("configs/devices/{}.yaml", name)));
}

// Adds what MACs in look-up tables contribute to those in slices.
void add_lut_macs(std::vector<Row>& rows, double per_slice) {
  constexpr double kShare = 0.7, kLutPerMac = 89;  // from the power study; from FAQ-CNN, Table 1, DoReFa of 8 bits
  const contract::Device zu9 = device("zu9eg");
  const double slices = per_slice * zu9.dsp, luts = std::floor(kShare * zu9.lut / kLutPerMac);
  const auto source =
      report::derived("derived: a ZU9's table sizes; the paper's 70 % of the logic, FAQ-CNN's 89 LUTs a MAC (Table 1)");
  rows.push_back({"wp490", "INT8 MACs that 70 % of a ZU9's LUTs hold", "MACC", {}, luts, {}, source});
  rows.push_back({"wp490",
                  "slices and these LUTs over slices alone, in some cases up to",
                  "x",
                  3,
                  (slices + luts) / slices,
                  {},
                  "its text on MACCs built of LUTs; against the slices' 1.75 MACCs"});
  rows.push_back({"wp490", "the same over one MACC a slice", "x", 3, (slices + luts) / zu9.dsp, {}, source});
  rows.push_back(
      {"wp490", "LUTs a MAC at which they would give 3 times", "LUT", {}, kShare * zu9.lut / (2 * slices), {}, source});
}

// Checks the power study's conditions against the devices' sizes. What its estimators said is lost with Figure 10.
void add_power_study(std::vector<Row>& rows, double per_slice) {
  for (const char* name : {"zu3eg", "zu7ev", "zu9eg"}) {
    const contract::Device d = device(name);
    const double slices = std::floor(0.9 * d.dsp);
    rows.push_back(
        {"wp490",
         fmt::format("power study: INT8 MACC a cycle of 90 % of the slices, {}", d.name),
         "MACC",
         {},
         std::floor(slices / 8) * 8 * per_slice,
         {},
         report::derived("derived: chains of 8 slices; -1L at 0.72 V, 70 % of the logic at Fmax, 90 % of the "
                         "block RAM at half of it, 12.5 % of the slices' nets toggling")});
  }
  const std::string study =
      "stated, of ZU3, ZU7, ZU9 (16 nm, XPE 2016.4) beside SX220, SX270, SX480 (20 nm, -2L at 0.9 V, EPE 16.0.1); "
      "neither estimator is here";
  rows.push_back(
      {"wp490", "power study: operations a second and watt beside the other devices, least", "x", 3, {}, {}, study});
  rows.push_back({"wp490", "power study: the same, most", "x", 7, {}, {}, study});
  rows.push_back({"wp490", "power study: each pair of devices", "x", {}, {}, 0, "Figure 10; its bars cannot be read"});
  rows.push_back(
      {"wp490", "accuracy of networks in 8-bit dynamic fixed point", "%", {}, {}, 0, "Table 1; its cells are lost"});
}

}  // namespace

Reproduction reproduce_wp490() {
  const DualInt8Config int8 = longest_exact({});
  const Measured packed = run(int8);
  DualInt8Config uint8;
  uint8.unsigned_activations = true;
  const Measured full_weights = run(longest_exact(uint8));
  uint8.lowest_weight = -127;
  uint8.shift = 19;
  const Measured symmetric_weights = run(longest_exact(uint8));

  const auto per_slice = [](const Measured& m) { return m.maccs_per_beat / m.slices; };
  const Packing narrowest = narrowest_packing();
  const int guard_bits = DualInt8Config{}.shift - narrowest.shift;
  const int product_bits = bits_of(std::int64_t{kLowest} * kHighest, std::int64_t{kLowest} * kLowest);
  const char* where = "section \"Scalable INT8 Optimization\"";
  const char* mapping = "section \"Mapping INT8 Optimization to Deep Learning Applications\"";
  Reproduction reproduction{
      {
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
          {"wp490", "narrowest input that takes two INT8 products apart", "bits", 24, narrowest.shift + kBits, 0,
           where},
          {"wp490",
           "the same with a = -128 and b < 0 in an adder before it",
           "bits",
           {},
           narrowest.sum_bits,
           {},
           report::derived("derived: -128 x 2^16 - 128 does not fit 24 bits, hence the spare sign bits")},
          {"wp490", "accumulator of both products", "bits", 32, narrowest.product_bits, 0, where},
          {"wp490", "spare sign bits of the upper operand, shifted by 18", "bits", 2, guard_bits, 0, where},
          {"wp490", "bits of the 18-bit input that only repeat an INT8's sign", "bits", 10, 18 - kBits, 0,
           report::derived(where)},
          {"wp490", "bits of the 27-bit input that only repeat an INT8's sign", "bits", 19,
           DualInt8Config::kPreAdderBits - kBits, 0, report::derived(where)},
          {"wp490", "bits of the 45-bit product that only repeat a product's sign", "bits", 29,
           18 + DualInt8Config::kPreAdderBits - product_bits, 0, report::derived(where)},
          {"wp490", "INT8 products of an 18 x 19 multiplier", "MACC/DSP", 1, products_of(19, narrowest), 0, where},
          {"wp490", "multiply-accumulates per slice and cycle of a running machine, 4 x 7 taps of 8 channels",
           "MACC/DSP", 1.75, machine_per_slice({"array.rows=4", "array.cols=7"}, "fc6"), 0,
           report::derived("derived: a shape of which 7 divides a row's products, on fc6 of VGG-16, which fills it")},
          {"wp490", "the same, 3 x 3 taps of 8 channels", "MACC/DSP", 48.0 / 28, machine_per_slice({}, "conv3_2"), 0,
           report::derived("derived: 24 products of a row in chains of 7, 7, 7 and 3")},
          {"wp490", "the same, chains of 4 terms as uint8 activations need", "MACC/DSP", 48.0 / 30,
           machine_per_slice({"array.terms=4"}, "conv3_2"), 0,
           report::derived("derived: 24 products of a row in 6 chains; the 1.78 of uint8 stays a chain's, above")},
          {"wp490", "the same of a running filter, 3 x 3", "MACC/DSP", 18.0 / 11, filter_per_slice(3, true), 0,
           report::derived("derived: nine slices, and two that take the sums of 7 and of 2 products apart")},
          {"wp490", "the same, 5 x 5", "MACC/DSP", 50.0 / 29, filter_per_slice(5, true), 0,
           report::derived("derived: 25 slices and 4")},
          {"wp490", "the same, 7 x 7", "MACC/DSP", 98.0 / 56, filter_per_slice(7, true), 0,
           report::derived("derived: 49 slices and 7")},
          {"wp490", "the same, 3 x 3 of magnitudes that fit the field, without slices between", "MACC/DSP", 2,
           filter_per_slice(3, false), 0,
           report::derived("derived: 255 times the magnitudes, or 128 times, fits 18 bits")},
      },
      {},
      {}};
  add_lut_macs(reproduction.rows, per_slice(packed));
  add_power_study(reproduction.rows, per_slice(packed));
  return reproduction;
}

}  // namespace fansim::papers
