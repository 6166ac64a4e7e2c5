// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fansim::kernels {

// Output channels of a slice; bytes of a window that are multiplied at once; slices that are computed at once.
constexpr int kChannels = 8;
constexpr int kQuad = 4;
constexpr int kMostSlices = 4;

// The weights of kChannels output channels, and where their sums are.
struct DotSlice {
  std::ptrdiff_t weights = 0;           // offset from a round's first weights; [quad][channel][byte]
  const std::int32_t* start = nullptr;  // [channel]; added to every window's sums
  std::int32_t* sums = nullptr;         // [window][channel]; windows are WindowDot::sum_step apart
};

// The bytes of windows, and the weights by which they are multiplied.
struct DotRound {
  const std::uint8_t* x = nullptr;
  const std::int8_t* weights = nullptr;
};

// Multiplies windows of unsigned bytes with the weights of some slices, four bytes at a time, and sums the products
// over all rounds. Quad q of window w lies at x + w * window_step + offsets[q]. Sums wrap at 32 bits.
struct WindowDot {
  const DotRound* rounds = nullptr;
  int round_count = 1;
  std::ptrdiff_t window_step = 0;
  int windows = 0;
  const std::int32_t* offsets = nullptr;
  int quads = 0;
  DotSlice slices[kMostSlices];
  int slice_count = 1;
  std::ptrdiff_t sum_step = kChannels;
  bool add = true;   // false: overwrites `sums` instead of adding to them
  bool low = false;  // no byte of a window is above 127, so sums of two products fit 16 bits
};

// Calls the fastest version that this processor runs. All versions compute the same.
void window_dot(const WindowDot& dot);

// Packs weights into quads. Quad q of channel c is the four bytes at weights + offsets[q] + c * channel_step; channels
// beyond `channels` get zeros. `packed` becomes [quad][channel][byte], `sums` the sum of each channel's weights.
struct QuadPack {
  const std::uint8_t* weights = nullptr;
  const std::int32_t* offsets = nullptr;
  int quads = 0;
  int channel_step = 0;
  int channels = kChannels;
};
void pack_quads(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums);

// These do the same for quads of two int16, in windows and in weights.
void window_dot_pairs(const WindowDot& dot);
void pack_pairs(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums);

// One version of the functions above; for tests.
struct DotVersion {
  const char* name;
  bool supported;
  void (*window_dot)(const WindowDot&);
  void (*pack_quads)(const QuadPack&, std::int8_t*, std::int32_t*);
};
constexpr int kDotVersions = 5;
const DotVersion* dot_versions();  // returns kDotVersions of them, the fastest first

}  // namespace fansim::kernels
