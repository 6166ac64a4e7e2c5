// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/estimate/estimate.h"

#include <cmath>

#include "accelerators/vision/config/job.h"
#include "estimate/bram.h"
#include "estimate/coefficients.h"
#include "estimate/int8_chains.h"
#include "estimate/twins.h"

namespace fansim::vision {
namespace {

namespace k = estimate::coefficients;
using contract::Resources;
using estimate::clbs;
using estimate::Path;
using estimate::Terminal;

constexpr int kByte = 8, kWide = 16;
constexpr int kChannels = 3;    // at most, per pixel; window columns lie that far apart in the registers
constexpr int kSumBits = 24;    // width of the sum of a window of 49 products and its offset
constexpr int kPlaceBits = 60;  // counters of row and column, delay, and comparisons with the image's edges

int whole(double count) { return static_cast<int>(std::ceil(count)); }

Resources control(int bits) { return {0, whole(bits * k::kLutPerControlBit), bits, 0}; }
Resources vendor(const k::VendorIp& ip, int data_bits) {
  return {0, whole(ip.lut + ip.lut_per_bit * data_bits), whole(ip.ff + ip.ff_per_bit * data_bits), 0};
}
Resources times(int n, const Resources& one) {
  return {n * one.dsp, n * one.lut, n * one.ff, n * one.bram36, n * one.lutram};
}

// Counts both channels for the movers of the image and the result, and a read channel, half of one, for the second
// image.
Resources dma(const Config& c) {
  Resources use = vendor(k::kAxiDma, c.axi.data_bits);
  use += Resources{0, use.lut / 2, use.ff / 2, 0};
  const int width = c.axi.data_bits + k::kDmaFifoSideBits;
  use.bram36 = 2 * estimate::bram36(width, c.axi.mm2s_fifo_beats()) + estimate::bram36(width, c.axi.s2mm_fifo_beats());
  return use;
}

Resources interconnect(const Config& c) {
  Resources use = vendor(k::kMemoryInterconnect, c.axi.data_bits);
  use += k::kControlInterconnect;
  return use += k::kResetBlock;
}

// Counts the registers twice: as written, and as the running job holds them.
Resources registers() {
  const int bits = JobRegisters::count() * 32;
  Resources use = control(k::kLiteBits);
  return use += Resources{0, bits, 2 * bits, 0};
}

// Counts the beats of two images, the selection of a cycle's samples of 8 or 16 bits, and the counters.
Resources reader(const Config& c) {
  const int sample_bits = c.pixels.samples * kWide, choices = c.axi.data_bits / (c.pixels.samples * kByte);
  Resources use = control(4 * 32);
  return use += times(2, {0, sample_bits * (k::lut_per_mux_bit(choices) + 1), c.axi.data_bits + sample_bits, 0});
}

int result_bits(const Config& c) { return c.pixels.samples * kWide * (c.filter.exists() ? c.filter.banks : 1); }

// Each unit and the packer select among the reader and three units.
Resources pixel_switch(const Config& c) {
  const int ways = c.filter.exists() + c.median.exists() + c.simd.enabled + 1;
  return times(ways, {0, c.pixels.samples * kWide * k::lut_per_mux_bit(ways), 2 * c.pixels.samples * kWide, 0});
}

// Counts the line memories, the window's registers, and the border's selection of a row and a column for each value.
Resources window(const Config& c, int kernel, int bits) {
  const int samples = c.pixels.samples, radius = kernel / 2;
  const int reach = base::ceil_div(radius * kChannels, samples);
  const int row = (2 * reach + 1) * samples * bits, values = samples * kernel * kernel * bits;
  Resources use = control(kPlaceBits);
  use.bram36 += (kernel - 1) * estimate::bram36(samples * bits, base::ceil_div(c.pixels.line_samples, samples));
  // Columns lie one, two or three samples apart. The row is one of those on its side of the centre, or the constant.
  use.lut += row * kernel + values * (k::lut_per_mux_bit(kChannels) + k::lut_per_mux_bit(radius + 2));
  use.ff += kernel * row + values;
  return use;
}

Resources filter(const Config& c) {
  const FilterConfig& f = c.filter;
  Resources use = window(c, f.kernel, kByte);
  Resources pair = estimate::int8_chains(f.window(), f.terms_of_chain(), f.banks, contract::Shared::weight);
  pair.dsp = f.banks * f.slices_of_pair();
  use += times(c.pairs(), pair);
  // Counts the coefficients, the tree of chains and offset, and, where no slice separates the sums, the registers that
  // do.
  const int results = c.pixels.samples * f.banks;
  use.ff += f.banks * f.window() * kByte;
  const int apart = f.rebase ? 0 : kSumBits;
  use += times(results, {f.scaler == Scaler::reciprocal ? 1 : 0, kSumBits * f.chains() + apart + 2 * kWide,
                         kSumBits * (f.chains() + 2) + kWide, 0});
  return use;
}

// Counts the two multiplexers of each exchange, and what waits beside it: every value of the window, three registers
// per layer.
Resources median(const Config& c) {
  const MedianConfig& m = c.median;
  const int bits = m.mode == SimdMode::four12 ? kByte : kWide, values = m.kernel * m.kernel;
  const arith::ExchangeNetwork network = m.exchanges();
  const int exchanges = static_cast<int>(network.exchanges.size()) + values - 1;  // including the tree of the extremes
  const int groups = base::ceil_div(c.pixels.samples, m.lanes());
  Resources use = window(c, m.kernel, bits);
  use.dsp += exchanges * groups;
  use.lut += exchanges * c.pixels.samples * 2 * bits * k::kLutPerChoiceBit / 2;
  // Each value of each layer waits in a shift register of three steps and its output register.
  const int waiting = network.depth * values * c.pixels.samples * bits;
  use.lut += waiting;
  use.lutram += waiting;
  use.ff += waiting;
  return use;
}

// Counts both differences, which are computed at the same time, the selection by their signs, and saturation.
Resources simd(const Config& c) {
  const int samples = c.pixels.samples, groups = base::ceil_div(samples, c.simd.lanes());
  Resources use{2 * groups + (c.simd.multipliers ? samples : 0), 0, 0, 0};
  return use += times(samples, {0, kWide * k::lut_per_mux_bit(6) + 2 * kWide, 6 * kWide, 0});
}

// Counts the waiting results, in LUT memory, and the aligner of a row's samples to the bytes of a beat.
Resources packer(const Config& c) {
  const int bits = result_bits(c), depth = base::ceil_div(c.pixels.fifo_beats, k::kSrlDepth);
  Resources use = control(4 * 24);
  use += Resources{0, bits * depth, bits, 0, bits * depth};
  const int shifts = base::ceil_log2(c.axi.beat_bytes());
  return use += Resources{0, c.axi.data_bits * shifts / 2 + bits, 2 * c.axi.data_bits, 0};
}

// Returns the resources to which a unit's twin in tests/rtl was synthesised.
Resources twin(const Config& c, const char* name, estimate::Parameters parameters) {
  parameters.insert({{"SAMPLES", c.pixels.samples}, {"LINE_SAMPLES", c.pixels.line_samples}});
  return estimate::twin_use(name, parameters).resources();
}

Resources filter_twin(const Config& c) {
  const FilterConfig& f = c.filter;
  return twin(c, "filter_unit",
              {{"KERNEL", f.kernel},
               {"BANKS", f.banks},
               {"TERMS", f.terms},
               {"REBASE", f.rebase},
               {"RECIPROCAL", f.scaler == Scaler::reciprocal}});
}

Resources median_twin(const Config& c) {
  return twin(c, "median_unit",
              {{"KERNEL", c.median.kernel},
               {"NETWORK", static_cast<int>(c.median.network)},
               {"FOUR12", c.median.mode == SimdMode::four12}});
}

Resources simd_twin(const Config& c) {
  return twin(c, "simd_unit", {{"FOUR12", c.simd.mode == SimdMode::four12}, {"MULTIPLIERS", c.simd.multipliers}});
}

std::vector<Path> window_paths(const Resources& use) {
  return {Path{"address to every line memory", 2}.across(clbs(use)).between(Terminal::register_, Terminal::bram),
          Path{"border's choice of a row", 3}.across(clbs(use))};
}

}  // namespace

int filter_slices(const Config& c) { return c.pairs() * c.filter.banks * c.filter.slices_of_pair(); }

std::vector<estimate::BlockUse> block_uses(const Config& c) {
  std::vector<estimate::BlockUse> blocks{{"dma", dma(c)},
                                         {"interconnect", interconnect(c)},
                                         {"registers", registers()},
                                         {"reader", reader(c)},
                                         {"switch", pixel_switch(c)}};
  const bool yosys = c.device.coefficients == contract::Coefficients::yosys;
  blocks[3].paths = {Path{"room among the results, to every sample", 3}.add(12).across(clbs(blocks[3].use))};
  if (c.filter.exists()) {
    const Resources use = yosys ? filter_twin(c) : filter(c);
    blocks.push_back({"filter", use, window_paths(use)});
    blocks.back().paths.push_back(Path{"sum of the last level", 1}.add(kSumBits));
    blocks.back().paths.push_back(Path{"coefficient to every sample's slice"}
                                      .across(clbs(use) / c.filter.window())
                                      .between(Terminal::register_, Terminal::dsp));
  }
  if (c.median.exists()) {
    const Resources use = yosys ? median_twin(c) : median(c);
    blocks.push_back({"median", use, window_paths(use)});
    blocks.back().paths.push_back(
        Path{"sign to the exchange's multiplexers", 1}.between(Terminal::dsp, Terminal::register_));
  }
  if (c.simd.enabled)
    blocks.push_back({"simd",
                      yosys ? simd_twin(c) : simd(c),
                      {Path{"result chosen and saturated", 3}.between(Terminal::dsp, Terminal::register_)}});
  blocks.push_back({"packer", packer(c), {Path{"sample to any byte of the beat", 4}.across(clbs(packer(c)))}});
  return blocks;
}

estimate::Estimate cost_of(const Config& config) {
  estimate::Estimate cost = estimate::estimate_of(block_uses(config), config.device, config.clock_hz());
  if (config.filter.exists())
    estimate::refuse_packing("filter.kernel", "a machine without filter engine", config.device, cost.fit);
  return cost;
}

}  // namespace fansim::vision
