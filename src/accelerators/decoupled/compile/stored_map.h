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

// A range of places along an axis, or of channels: `count` from `first` on.
struct Span {
  int first = 0, count = 0;
};

// Describes a feature map in memory: [channel block][row][column][image of the batch][channel of the block]. Channels
// after the last one of the map are 0, and all images of a batch are the same.
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
  // Counts the bytes of a block's channels at one position, for all images.
  std::int64_t vector_bytes() const { return std::int64_t{block} * batch * value_bytes; }
  std::int64_t plane_bytes() const { return vector_bytes() * rows * columns; }
  std::int64_t bytes() const { return plane_bytes() * planes(); }

  // Returns the map as a vector at one position: the positions of its planes follow one another.
  StoredMap flattened() const;
  // Returns its channels from one on that begins a block.
  StoredMap part(int first_channel, int count) const;

  // `channels.first` must begin a block. The map of row_of() has one position, so the blocks of its vector are adjacent
  // and form a row.
  Planes planes_of(Span channels, Span rows_, Span columns_) const;
  Planes row_of(Span channels) const;

  // Returns the first image. Throws logic_error if another image differs.
  std::vector<std::int32_t> values(const std::uint8_t* memory) const override;
  void write(const network::Tensor& tensor, std::uint8_t* memory) const;

 private:
  std::int64_t offset(int channel, int row, int column) const {
    return ((std::int64_t{channel / block} * rows + row) * columns + column) * vector_bytes() +
           std::int64_t{channel % block} * value_bytes;
  }
};

}  // namespace fansim::decoupled
