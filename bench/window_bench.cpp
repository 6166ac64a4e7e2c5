// SPDX-License-Identifier: Apache-2.0
// Measures multiply-accumulates per second of the processor, in every version of kernels::window_dot that this
// processor supports. It computes 3 x 3 windows of 8 channels for 32 outputs in eight rounds, as the streaming
// accelerator's values do, with any bytes and with bytes below 128.
//   window_bench
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu_seconds.h"
#include "kernels/window_dot.h"

using namespace fansim;

namespace {

constexpr int kTaps = 3, kWord = 8, kSlices = kernels::kMostSlices, kQuads = kTaps * kTaps * kWord / kernels::kQuad;
constexpr int kSlice = kQuads * kernels::kChannels * kernels::kQuad;
constexpr int kRounds = 8, kRepeats = 9;
constexpr std::int64_t kProducts = 200'000'000;

void measure(const kernels::DotVersion& version, int windows, bool low) {
  const int line = (windows + kTaps) * kWord;
  std::vector<std::uint8_t> x(static_cast<std::size_t>(kRounds * kTaps * line), 3);
  std::vector<std::int8_t> weights(kRounds * kSlices * kSlice, 5);
  std::vector<std::int32_t> start(kernels::kChannels),
      sums(static_cast<std::size_t>(windows * kSlices * kernels::kChannels));
  std::vector<std::int32_t> offsets;
  for (int row = 0; row < kTaps; ++row)
    for (int quad = 0; quad < kQuads / kTaps; ++quad) offsets.push_back(row * line + quad * kernels::kQuad);

  std::vector<kernels::DotRound> rounds;
  for (int r = 0; r < kRounds; ++r)
    rounds.push_back({x.data() + r * kTaps * line, weights.data() + r * kSlices * kSlice});
  kernels::WindowDot dot;
  dot.rounds = rounds.data();
  dot.round_count = kRounds;
  dot.window_step = kWord;
  dot.windows = windows;
  dot.low = low;
  dot.offsets = offsets.data();
  dot.quads = kQuads;
  dot.slice_count = kSlices;
  dot.sum_step = kSlices * kernels::kChannels;
  for (int s = 0; s < kSlices; ++s) dot.slices[s] = {s * kSlice, start.data(), sums.data() + s * kernels::kChannels};

  const std::int64_t products =
      std::int64_t{kRounds} * windows * kQuads * kernels::kQuad * kSlices * kernels::kChannels;
  const std::int64_t calls = kProducts / products;
  double best = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double begin = bench::cpu_seconds();
    for (std::int64_t i = 0; i < calls; ++i) version.window_dot(dot);
    best = std::max(best, static_cast<double>(calls * products) / (bench::cpu_seconds() - begin));
  }
  fmt::print("{:<8} {:>4} windows {:8.1f} G multiply-accumulates/s{}\n", version.name, windows, best / 1e9,
             low ? ", bytes below 128" : "");
}

}  // namespace

int main() {
  for (int v = 0; v < kernels::kDotVersions; ++v)
    for (const bool low : {false, true})
      for (const int windows : {14, 56, 224})
        if (kernels::dot_versions()[v].supported) measure(kernels::dot_versions()[v], windows, low);
}
