// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"
#include "arith/fixed.h"
#include "primitives/dsp48e2.h"
#include "primitives/dual_int8.h"
#include "support/blocks.h"

// These tests compare the vectorised array with an array of DSP48E2 slices wired as in tests/rtl/mac_cell.v.
namespace fansim::mac_array_slices_test {

using primitives::Dsp48e2;
using primitives::Dsp48e2Attributes;
using primitives::Dsp48e2Inputs;
using primitives::ones;
using stream::MacArray;
using stream::Terms;
using stream::WeightColumn;
using stream::Window;

namespace {

constexpr std::uint64_t kSeed = 92;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::uint64_t bits(int value, int width) { return static_cast<std::uint64_t>(value) & ones(width); }

// Holds one tap of one or two output channels.
class Slice {
 public:
  explicit Slice(bool dual) : dual_(dual), slice_(attributes(dual)) {}

  // Does one edge, and returns the products in the P register after it.
  primitives::Int8Products step(int high, int low, int activation) {
    Dsp48e2Inputs in;
    in.a = dual_ ? bits(high * (1 << primitives::kInt8Shift), 30) : bits(low, 30);
    in.d = bits(low, 27);
    in.b = bits(activation, 18);
    in.inmode = dual_ ? 0b00100 : 0;
    in.opmode = 0b000000101;
    in.cea2 = in.ceb1 = in.ceb2 = in.ced = in.cead = in.cem = in.cep = true;
    const std::int64_t p = arith::wrap(static_cast<std::int64_t>(slice_.step(in).p.value), 48);
    return dual_ ? primitives::unpack_int8(p) : primitives::Int8Products{0, static_cast<int>(p)};
  }

 private:
  static Dsp48e2Attributes attributes(bool dual) {
    Dsp48e2Attributes at;
    if (dual) {
      at.amultsel = Dsp48e2Attributes::MultiplierA::ad;
      at.breg = at.bcascreg = 2;
    }
    at.alumodereg = at.carryinreg = at.carryinselreg = at.inmodereg = at.opmodereg = 0;
    return at;
  }
  bool dual_;
  Dsp48e2 slice_;
};

struct Work {
  Work(const stream::ArrayConfig& array, int count, base::Random& random) : config(array) {
    const auto byte = [&](int low) {
      return random.chance(30) ? (random.chance(50) ? low : low + 255) : random.uniform(low, low + 255);
    };
    for (int k = 0; k < count; ++k) {
      windows.emplace_back();
      windows.back().tag = {};
      windows.back().taps.fill(0);
      const bool fresh = k == 0 || random.chance(30);
      windows.back().tag.new_weights = fresh;
      if (fresh) {
        first_column.push_back(static_cast<int>(columns.size()));
        new_columns(byte);
      }
      set_of.push_back(static_cast<int>(first_column.size()) - 1);
      const int low = random.chance(50) ? 0 : -128;
      for (int i = 0; i < config.window_values(); ++i)
        windows.back().taps[at(i)] = static_cast<std::int16_t>(byte(low));
    }
  }

  template <class Byte>
  void new_columns(Byte&& byte) {
    for (int c = 0; c < config.cols; ++c) {
      columns.emplace_back();
      for (std::uint8_t& b : columns.back().bytes) b = static_cast<std::uint8_t>(byte(-128));
    }
  }
  int weight(std::size_t k, int o, int tap) const {
    if (o >= config.output_channels) return 0;
    const int column = config.rows * config.input_channels;
    const WeightColumn& c = columns[at(first_column[at(set_of[k])] + tap / column)];
    return static_cast<std::int8_t>(c.bytes[at(o * column + tap % column)]);
  }

  stream::ArrayConfig config;
  std::vector<Window> windows;
  std::vector<WeightColumn> columns;
  std::vector<int> first_column, set_of;
};

// Checks every product of every window as the slices form them, one window per edge.
void require_slices(const Work& work, const std::vector<Terms>& out) {
  const stream::ArrayConfig& config = work.config;
  const bool dual = config.multiplier == stream::Multiplier::dsp48e2_dual_int8;
  const int lanes = base::round_up(config.window_values(), kernels::kLanes), delay = config.mac_latency() - 1;
  const int count = static_cast<int>(work.windows.size());
  REQUIRE(out.size() == work.windows.size());
  int wrong = 0;
  for (int o = 0; o < config.output_channels; o += dual ? 2 : 1)
    for (int tap = 0; tap < config.window_values(); ++tap) {
      Slice slice(dual);
      for (int edge = 0; edge < count + delay; ++edge) {
        const std::size_t k = at(std::min(edge, count - 1));
        const int high = dual ? work.weight(k, o, tap) : 0, low = work.weight(k, dual ? o + 1 : o, tap);
        const primitives::Int8Products p = slice.step(high, low, work.windows[k].taps[at(tap)]);
        if (edge < delay) continue;
        const auto& values = out[at(edge - delay)].products;
        if (dual) wrong += values[at(o * lanes + tap)] != p.high;
        if (!dual || o + 1 < config.output_channels) wrong += values[at((dual ? o + 1 : o) * lanes + tap)] != p.low;
      }
    }
  REQUIRE(wrong == 0);
}

}  // namespace

TEST_CASE("the MAC array equals an array of DSP48E2 slices edge by edge: packed and single") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Lanes<MacArray, Window, Terms> lanes(bench, &MacArray::windows, &MacArray::products);
  std::vector<Work> all;
  std::vector<std::unique_ptr<sim::Stream<WeightColumn>>> streams;
  std::vector<std::unique_ptr<test::Source<WeightColumn>>> sources;
  for (const auto multiplier : {stream::Multiplier::dsp48e2_dual_int8, stream::Multiplier::dsp48e2})
    for (stream::ArrayConfig config :
         {test::array_of(3, 3, 8, 8), test::array_of(2, 3, 5, 3), test::array_of(1, 1, 1, 2)}) {
      config.multiplier = multiplier;
      all.emplace_back(config, 40, random);
      auto& lane = lanes.add(all.back().windows, all.back().windows.size(), {0, 0}, config);
      const std::string name = fmt::format("weights{}", lanes.size());
      streams.push_back(std::make_unique<sim::Stream<WeightColumn>>(name.c_str()));
      sources.push_back(std::make_unique<test::Source<WeightColumn>>((name + "_source").c_str(), all.back().columns));
      sources.back()->out(*streams.back());
      lane.block.weights(*streams.back());
    }
  lanes.run();
  for (std::size_t i = 0; i < all.size(); ++i) require_slices(all[i], lanes[i].sink.items());
}

}  // namespace fansim::mac_array_slices_test
