// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"

namespace fansim::decoupled {

// Holds the machine's buffers, and executes commands one after another. Sums are modulo 2^32, exact in 64 bits, or
// floats.
template <class Sum>
class CommandValues {
 public:
  CommandValues(const Config& config, const DecoupledLayer& layer, std::uint8_t* memory);

  void run(const Command& command);
  const arith::Saturation& saturation() const { return saturation_; }

 private:
  static constexpr bool kFloats = std::is_floating_point_v<Sum>;
  using Value = std::conditional_t<kFloats, float, std::int16_t>;

  void load_inputs(const Command& command);
  void load_weights(const Command& command);
  void load_parameters(const Command& command);
  void load_sums(const Command& command);
  void multiply(const Command& command);
  void pool(const Command& command);
  void store(const Command& command);
  void store_sums(const Command& command);

  void gather(const Command& command, int rows, int columns);
  void add_raise(const Command& command, int first, int last, int output_block);
  // Calls f(bytes, first channel, sums) for each run of a position's channels in a transfer of sums or results.
  template <class F>
  void each_run(const Command& command, int run, int value_bytes, F f);
  Value input(const std::uint8_t* bytes) const;
  Value held(std::int32_t word) const;
  Sum read(Value value) const;
  Sum sum_of(const std::uint8_t* bytes) const;
  static std::int64_t word_of(Sum sum);
  // Returns the index of a weight in its block.
  std::size_t place(int m, int n) const;
  Value* inputs_at(std::int64_t vector);
  Sum* sums_at(std::int64_t vector, int picture);
  static std::int64_t vector_of(const Tile& tile, int plane, int row, int column);

  const Config& config_;
  const DecoupledLayer& layer_;
  std::uint8_t* const memory_;
  const int block_, batch_, tm_, tn_, bytes_;
  const int padded_, lanes_;    // tn input and tm output channels, padded for the kernel
  const int raise_;             // unsigned 16-bit codes are held less this
  std::vector<Value> inputs_;   // [vector][picture][channel of the block]
  std::vector<Value> weights_;  // [block][pair of tn][tm][2]; with floats [block][tn][tm]
  std::vector<Sum> sums_;       // [vector][picture][tm]
  std::vector<ChannelParameters> parameters_;
  arith::Saturation saturation_;
  std::vector<Value> gathered_;  // inputs of a tile: [block of tn][row][column][image][tn]
};

}  // namespace fansim::decoupled
