// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/stream/config/tensor_place.h"
#include "base/units.h"
#include "compile/memory.h"
#include "network/network.h"

namespace fansim::stream {

struct Border {
  int top = 0, left = 0, bottom = 0, right = 0;
};

// Returns the border that a layer needs around its input: its padding, as far as its windows reach. Maximum pooling
// needs none, because its windows are clipped to the map.
Border border_of(const network::Layer& layer);
Border larger(const Border& a, const Border& b);

// Describes a tensor in DDR, with values of one or two bytes. A map consists of planes of `lanes` channels; each has
// rows of words, tightly packed with their border. A sequence is a single plane whose rows are time steps and whose
// words have `lanes` features each.
struct Place {
  network::Shape shape;
  bool is_unsigned = false;
  int zero_point = 0;
  Border border;
  int lanes = 8;
  int value_bytes = 1;
  int planes = 1;             // stored planes: the hardware writes whole groups of output channels
  int height = 1, width = 1;  // rows, and words in a row, without the border
  std::uint32_t address = 0;  // address of the border's first byte

  int row_words() const { return border.left + width + border.right; }
  int word_bytes() const { return lanes * value_bytes; }
  int row_bytes() const { return row_words() * word_bytes(); }
  std::int64_t plane_words() const { return std::int64_t{border.top + height + border.bottom} * row_words(); }
  std::int64_t plane_bytes() const { return plane_words() * word_bytes(); }
  std::int64_t bytes() const { return planes * plane_bytes(); }
  // Returns the channels as the array sees them.
  int channels() const { return shape.sequence ? lanes : shape.channels; }
  // Returns the address of a row; row 0 is the first one inside the border.
  std::uint32_t row_address(int plane, int row) const {
    return address + static_cast<std::uint32_t>(plane * plane_bytes() + std::int64_t{border.top + row} * row_bytes());
  }
  // Returns the address of a row's first word inside the border.
  std::uint32_t inside(int plane, int row) const {
    return row_address(plane, row) + static_cast<std::uint32_t>(border.left * word_bytes());
  }
  TensorPlace tensor() const;

  // Returns the words of the planes that hold channels.
  std::int64_t used_words() const {
    return (shape.sequence ? 1 : base::ceil_div(shape.channels, lanes)) * plane_words();
  }

  // Returns, for each value of the used planes, the index of its element in C,H,W or steps,features order; -1 in border
  // and padding.
  std::vector<std::int32_t> elements() const;
};

// Writes the values of a tensor in the order of the place; `object` is the place's first byte.
void write(const Place& place, const network::Tensor& values, std::uint8_t* object);

// Returns a place for a tensor of this shape, without reserving memory.
Place make_place(const network::Shape& shape, const Border& border, int lanes, int output_channels,
                 int value_bytes = 1);

// Reserves memory. The image is filled with the zero point, and with the tensor's values if there are any.
void reserve(Place& place, compile::Memory& memory, const network::Tensor* values);

}  // namespace fansim::stream
