// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "contract/job_registers.h"

namespace fansim::trainer {

// Says what a write to the start register requests.
enum class Command : std::uint8_t { load_weights, store_weights, infer, train };

enum class LayerKind : std::uint8_t { convolution, pooling, fully_connected, softmax };

// Describes a layer of the network as the registers do. A fully connected layer is a convolution over a map with one
// position. Poolings and softmax have no filters.
struct LayerEntry {
  LayerKind kind = LayerKind::softmax;
  bool relu = false;
  std::int32_t kernel = 1, stride = 1, top = 0, left = 0;
  std::int32_t in_channels = 1, in_height = 1, in_width = 1;
  std::int32_t out_channels = 1, out_height = 1, out_width = 1;

  bool has_weights() const { return kind == LayerKind::convolution || kind == LayerKind::fully_connected; }
  std::int64_t in_words() const { return std::int64_t{in_channels} * in_height * in_width; }
  std::int64_t out_words() const { return std::int64_t{out_channels} * out_height * out_width; }
  std::int64_t taps() const { return std::int64_t{in_channels} * kernel * kernel; }
  std::int64_t weights() const { return has_weights() ? taps() * out_channels : 0; }
};

constexpr std::size_t kMostLayers = 8;

// Holds the machine's registers: the addresses of this image and its result, and the network.
struct Job {
  std::uint32_t source = 0;       // address of the image or of the weights
  std::uint32_t destination = 0;  // address of the result or of the weights
  std::uint32_t label = 0;
  std::uint32_t learning_rate = 0;  // in single precision
  std::uint32_t layers = 0;
  std::array<LayerEntry, kMostLayers> table{};
  Command command = Command::infer;

  std::int64_t weights() const;       // in words
  std::int64_t image_bytes() const;   // one byte per value; in memory rounded up to whole beats
  std::int64_t result_words() const;  // of the last layer
  const LayerEntry& layer(std::size_t i) const { return table[i]; }
};

// Holds a job as register words: five, then four for each layer, then the command. The write of the command starts the
// job.
struct JobRegisters : contract::JobRegisters {
  static constexpr std::size_t kFirst = 5, kOfLayer = 4;
  static constexpr std::size_t kCommand = kFirst + kOfLayer * kMostLayers;
  static constexpr std::size_t kCount = kCommand + 1;

  JobRegisters() : contract::JobRegisters(kCount) {}
};

JobRegisters encode(const Job& job);
Job decode(const contract::JobRegisters& registers);

// These are the largest values that fit into the fields of a layer's words.
constexpr std::int32_t kMostKernel = 15, kMostStride = 15, kMostPadding = 15, kMostExtent = 65535;

}  // namespace fansim::trainer
