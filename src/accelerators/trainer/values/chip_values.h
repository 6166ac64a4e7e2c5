// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "accelerators/trainer/config/phases.h"
#include "accelerators/trainer/config/softmax.h"
#include "kernels/float_mac.h"

namespace fansim::trainer {

// Computes the bytes of the fast engine: what jobs leave on the chip and in memory, phase by phase. Numbers are held as
// doubles that the formats can represent (kernels::FloatMac).
class ChipValues {
 public:
  explicit ChipValues(const Config& config);

  void run(const Job& job, std::uint8_t* memory);
  const arith::FloatEvents& events() const { return events_; }

 private:
  using Numbers = std::vector<double>;

  void prepare(const Job& job);
  void load(std::uint8_t* memory);
  void store(std::uint8_t* memory) const;
  void forward(std::size_t layer);
  void input_gradient(std::size_t layer);
  void weight_gradient(std::size_t layer);
  void pool(std::size_t layer);
  void unpool(std::size_t layer);
  void softmax(std::size_t layer);
  void update(std::size_t layer);

  const kernels::FloatMac& mac(const arith::FloatFormat& operand, const arith::FloatFormat& sum);
  // read() converts numbers to another format for reading, which counts nothing; the conversion of results is counted.
  const Numbers& read(const Numbers& numbers, const arith::FloatFormat& from, const arith::FloatFormat& to,
                      Numbers& room);
  void write(Numbers& numbers, const arith::FloatFormat& from, const arith::FloatFormat& to);
  void convert(Numbers& numbers, const arith::FloatFormat& to, arith::FloatEvents& events);
  void cut(std::size_t tensor, Numbers& gradients) const;

  const LayerEntry& layer(std::size_t i) const { return job_.layer(i); }
  const WeightedConfig& block(std::size_t i) const { return block_of(config_, job_, i); }

  const Config& config_;
  const SoftmaxFunctions softmax_;
  Job job_;
  bool prepared_ = false;
  std::map<std::pair<int, int>, kernels::FloatMac> macs_;  // by operand and sum

  std::vector<Numbers> values_, gradients_;         // by tensor
  std::vector<Numbers> weights_, deltas_;           // by layer
  std::vector<std::vector<std::int32_t>> choices_;  // by layer
  std::vector<std::vector<std::int64_t>> windows_;  // by layer: [tap][position], -1: border
  Numbers columns_, rows_, room_a_, room_b_, transposed_, sums_;
  std::vector<double> pixels_;
  std::vector<arith::FloatEvents> pixel_events_;
  arith::FloatEvents events_;
};

}  // namespace fansim::trainer
