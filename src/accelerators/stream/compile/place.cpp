// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/place.h"

#include <algorithm>
#include <cstring>

#include "base/units.h"

namespace fansim::stream {

Border border_of(const network::Layer& layer) {
  using network::LayerType;
  if (layer.type() != LayerType::conv && layer.type() != LayerType::avgpool) return {};
  const network::Window& window = layer.window();
  const auto [top, left, bottom, right] = window.padding;
  const int rows = (layer.out.height - 1) * window.stride + window.kernel;
  const int columns = (layer.out.width - 1) * window.stride + window.kernel;
  return {top, left, std::max(0, rows - top - layer.in.height), std::max(0, columns - left - layer.in.width)};
}

Border larger(const Border& a, const Border& b) {
  return {std::max(a.top, b.top), std::max(a.left, b.left), std::max(a.bottom, b.bottom), std::max(a.right, b.right)};
}

Place make_place(const network::Shape& shape, const Border& border, int lanes, int output_channels, int value_bytes) {
  Place place;
  place.shape = shape;
  place.lanes = lanes;
  place.value_bytes = value_bytes;
  if (shape.sequence) {
    place.height = shape.steps;
    place.width = base::round_up(shape.features, output_channels) / lanes;
    // An elementwise layer writes one group of channels, so there must be room for the group's planes after the
    // sequence.
    place.planes = output_channels / lanes;
  } else {
    place.height = shape.height;
    place.width = shape.width;
    place.border = border;
    place.planes = base::round_up(shape.channels, output_channels) / lanes;
  }
  return place;
}

TensorPlace Place::tensor() const {
  TensorPlace place;
  place.address = inside(0, 0);
  place.channels = shape.sequence ? shape.features : shape.channels;
  place.height = height;
  place.width = shape.sequence ? 1 : width;
  place.lanes = lanes;
  place.value_bytes = value_bytes;
  place.row_pitch = row_bytes();
  place.plane_pitch = static_cast<int>(plane_bytes());
  place.sequence = shape.sequence;
  place.is_unsigned = is_unsigned;
  return place;
}

std::vector<std::int32_t> Place::elements() const {
  std::vector<std::int32_t> element(static_cast<std::size_t>(used_words() * lanes), -1);
  const auto set = [&](std::int64_t at, std::int64_t value) {
    element[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(value);
  };
  if (shape.sequence) {
    for (int step = 0; step < height; ++step)
      for (int f = 0; f < shape.features; ++f)
        set(std::int64_t{step} * row_words() * lanes + f, std::int64_t{step} * shape.features + f);
    return element;
  }
  for (int channel = 0; channel < shape.channels; ++channel)
    for (int row = 0; row < height; ++row) {
      const std::int64_t start = (inside(channel / lanes, row) - address) / value_bytes + channel % lanes;
      const std::int64_t first = (std::int64_t{channel} * height + row) * width;
      for (int column = 0; column < width; ++column) set(start + std::int64_t{column} * lanes, first + column);
    }
  return element;
}

void reserve(Place& place, compile::Memory& memory, const network::Tensor* values) {
  place.address = 0;
  const Place relative = place;
  place.address = memory.reserve(place.bytes(), [relative, values](std::uint8_t* object) {
    const auto bytes = static_cast<std::size_t>(relative.value_bytes);
    if (relative.zero_point != 0)
      for (std::size_t byte = 0; byte < static_cast<std::size_t>(relative.bytes()); ++byte)
        object[byte] = static_cast<std::uint8_t>(relative.zero_point >> 8 * (byte % bytes));
    if (values) write(relative, *values, object);
  });
}

void write(const Place& place, const network::Tensor& values, std::uint8_t* object) {
  const auto bytes = static_cast<std::size_t>(place.value_bytes);
  Place relative = place;
  relative.address = 0;
  const std::vector<std::int32_t> element = relative.elements();
  for (std::size_t at = 0; at < element.size(); ++at)
    if (element[at] >= 0)
      std::memcpy(object + at * bytes, &values.bytes[static_cast<std::size_t>(element[at]) * bytes], bytes);
}

}  // namespace fansim::stream
