// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

// Computes one point of a tile engine: multiplies tn inputs with the weights of tm output channels and adds the
// products to tm sums. Channels are padded to a multiple of kTileChannels, so that no loop has a remainder.
namespace fansim::kernels {

constexpr int kTileChannels = 16;
constexpr int kTreeLanes = 4;

// Sets sums[o] += x[2p] * weights[p][o][0] + x[2p + 1] * weights[p][o][1] over p < pairs, modulo 2^32, for any values.
void multiply_add(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int32_t* sums);

// Adds to sums[o] the sum of x[4q + i] * weights[q][o][i] over q < quads and i < 4, modulo 2^32, for any bytes.
void multiply_add_bytes(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels, std::int32_t* sums);

// Does the same as multiply_add(), exactly as long as 64 bits hold the sums.
void multiply_add_wide(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int64_t* sums);

// Sets sums[o] = sums[o] + tree(x[i] * weights[i][o] over i < lanes) in single precision, without fused operations. The
// tree adds adjacent terms level by level; an odd last term goes up unchanged. `lanes` is a multiple of kTreeLanes up
// to 512: padding zeros change no sum.
void multiply_tree(const float* x, const float* weights, int lanes, int channels, float* sums);

// The variants that this machine can run, the fastest first; the last one is plain C++.
struct MultiplyAdd {
  const char* name;
  decltype(&multiply_add) run;
};
std::vector<MultiplyAdd> multiply_add_variants();
struct MultiplyAddBytes {
  const char* name;
  decltype(&multiply_add_bytes) run;
};
std::vector<MultiplyAddBytes> multiply_add_bytes_variants();
struct MultiplyAddWide {
  const char* name;
  decltype(&multiply_add_wide) run;
};
std::vector<MultiplyAddWide> multiply_add_wide_variants();

}  // namespace fansim::kernels
