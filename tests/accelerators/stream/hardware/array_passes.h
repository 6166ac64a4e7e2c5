// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/hardware/mac_array.h"
#include "support/blocks.h"

namespace fansim::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Passes of `length` windows with int8 weights and activations.
struct Passes {
  Passes(const stream::ArrayConfig& array, int passes, int length, base::Random& random) {
    for (int c = 0; c < passes * array.cols; ++c) {
      columns.emplace_back();
      for (std::uint8_t& byte : columns.back().bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    }
    for (int k = 0; k < passes * length; ++k) {
      windows.emplace_back();
      windows.back().tag.new_weights = k % length == 0;
      windows.back().tag.x = k;
      windows.back().taps.fill(0);
      for (int i = 0; i < array.window_values(); ++i)
        windows.back().taps[at(i)] = static_cast<std::int16_t>(random.uniform(-128, 127));
    }
  }
  std::vector<stream::WeightColumn> columns;
  std::vector<stream::Window> windows;
};

// Puts MAC arrays side by side, each with its own source of windows and weights.
struct Arrays {
  explicit Arrays(Bench& bench) : lanes(bench, &stream::MacArray::windows, &stream::MacArray::products) {}
  auto& add(const Passes& passes, const stream::ArrayConfig& config, Stalls stalls = {0, 0}) {
    auto& lane = lanes.add(passes.windows, passes.windows.size(), stalls, config);
    const std::string name = fmt::format("weights{}", lanes.size());
    streams.push_back(std::make_unique<sim::Stream<stream::WeightColumn>>(name.c_str()));
    sources.push_back(
        std::make_unique<Source<stream::WeightColumn>>((name + "_source").c_str(), passes.columns, stalls.in));
    sources.back()->out(*streams.back());
    lane.block.weights(*streams.back());
    return lane;
  }
  Lanes<stream::MacArray, stream::Window, stream::Terms> lanes;
  std::vector<std::unique_ptr<sim::Stream<stream::WeightColumn>>> streams;
  std::vector<std::unique_ptr<Source<stream::WeightColumn>>> sources;
};

}  // namespace fansim::test
