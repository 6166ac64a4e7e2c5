// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/job.h"

namespace fansim::trainer {
namespace {

std::uint32_t pair(std::int32_t high, std::int32_t low) {
  return static_cast<std::uint32_t>(high) << 16 | static_cast<std::uint32_t>(low);
}
std::int32_t high(std::uint32_t word) { return static_cast<std::int32_t>(word >> 16); }
std::int32_t low(std::uint32_t word) { return static_cast<std::int32_t>(word & 0xffff); }

// Returns field i of a word; fields have four bits, the lowest first.
std::int32_t nibble(std::uint32_t word, int i) { return static_cast<std::int32_t>(word >> 4 * i & 15); }

}  // namespace

std::int64_t Job::weights() const {
  std::int64_t words = 0;
  for (std::size_t i = 0; i < layers; ++i) words += table[i].weights();
  return words;
}

std::int64_t Job::image_bytes() const { return table[0].in_words(); }

std::int64_t Job::result_words() const { return table[layers - 1].out_words(); }

JobRegisters encode(const Job& job) {
  JobRegisters registers;
  auto& words = registers.words;
  words[0] = job.source;
  words[1] = job.destination;
  words[2] = job.label;
  words[3] = job.learning_rate;
  words[4] = job.layers;
  for (std::size_t i = 0; i < kMostLayers; ++i) {
    const LayerEntry& layer = job.table[i];
    std::uint32_t* at = &words[JobRegisters::kFirst + JobRegisters::kOfLayer * i];
    at[0] = static_cast<std::uint32_t>(layer.kind) | static_cast<std::uint32_t>(layer.relu) << 3 |
            static_cast<std::uint32_t>(layer.kernel) << 4 | static_cast<std::uint32_t>(layer.stride) << 8 |
            static_cast<std::uint32_t>(layer.top) << 12 | static_cast<std::uint32_t>(layer.left) << 16;
    at[1] = pair(layer.out_channels, layer.in_channels);
    at[2] = pair(layer.in_height, layer.in_width);
    at[3] = pair(layer.out_height, layer.out_width);
  }
  words[JobRegisters::kCommand] = static_cast<std::uint32_t>(job.command);
  return registers;
}

Job decode(const contract::JobRegisters& registers) {
  Job job;
  const auto& words = registers.words;
  job.source = words[0];
  job.destination = words[1];
  job.label = words[2];
  job.learning_rate = words[3];
  job.layers = words[4];
  for (std::size_t i = 0; i < kMostLayers; ++i) {
    LayerEntry& layer = job.table[i];
    const std::uint32_t* at = &words[JobRegisters::kFirst + JobRegisters::kOfLayer * i];
    layer.kind = static_cast<LayerKind>(at[0] & 7);
    layer.relu = (at[0] >> 3 & 1) != 0;
    layer.kernel = nibble(at[0], 1);
    layer.stride = nibble(at[0], 2);
    layer.top = nibble(at[0], 3);
    layer.left = nibble(at[0], 4);
    layer.out_channels = high(at[1]);
    layer.in_channels = low(at[1]);
    layer.in_height = high(at[2]);
    layer.in_width = low(at[2]);
    layer.out_height = high(at[3]);
    layer.out_width = low(at[3]);
  }
  job.command = static_cast<Command>(words[JobRegisters::kCommand]);
  return job;
}

}  // namespace fansim::trainer
