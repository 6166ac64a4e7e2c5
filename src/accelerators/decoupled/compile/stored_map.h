// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"
#include "contract/program.h"
#include "network/tensor.h"

namespace fansim::decoupled {

// Places of an axis, or channels: `count` from `first` on.
struct Span {
  int first = 0, count = 0;
};

// A feature map in memory: [channel block][row][column][picture of the batch][channel of the block]. Channels behind
// the last one of the map are 0, and every picture of a batch is the same one.
class StoredMap final : public contract::StoredTensor {
 public:
  StoredMap() = default;
  StoredMap(std::string name, const network::Shape& shape, const network::NumberFormat& format, const Config& config);

  std::string name;
  std::uint32_t address = 0;
  int channels = 0, rows = 0, columns = 0;
  int block = 1, batch = 1, value_bytes = 1;
  bool is_unsigned = false;

  int planes() const { return base::ceil_div(channels, block); }
  // All pictures' channels of a block at one position.
  std::int64_t vector_bytes() const { return std::int64_t{block} * batch * value_bytes; }
  std::int64_t plane_bytes() const { return vector_bytes() * rows * columns; }
  std::int64_t bytes() const { return plane_bytes() * planes(); }

  // The map as a vector of one position: its planes' positions one behind the other.
  StoredMap flattened() const;
  // Its channels from one on that begins a block.
  StoredMap part(int first_channel, int count) const;

  // `channels.first` begins a block. Where a map has one position, the blocks of a vector, which lie side by side, are
  // a row.
  Planes planes_of(Span channels, Span rows_, Span columns_) const;
  Planes row_of(Span channels) const;

  // Of the first picture; logic_error if another has others.
  std::vector<std::int32_t> values(const std::uint8_t* memory) const override;
  void write(const network::Tensor& tensor, std::uint8_t* memory) const;

 private:
  std::int64_t offset(int channel, int row, int column) const {
    return ((std::int64_t{channel / block} * rows + row) * columns + column) * vector_bytes() +
           std::int64_t{channel % block} * value_bytes;
  }
};

}  // namespace fansim::decoupled
