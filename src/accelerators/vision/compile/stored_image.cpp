// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/compile/stored_image.h"

#include "base/units.h"

namespace fansim::vision {

StoredImage StoredImage::of(const network::Shape& shape, const network::NumberFormat& format, int row_multiple) {
  StoredImage image;
  image.channels = shape.channels;
  image.height = shape.height;
  image.width = shape.width;
  image.row_samples = base::round_up(shape.width * shape.channels, row_multiple);
  image.sample_bytes = static_cast<int>(format.value_bytes());
  image.is_signed = !format.is_unsigned();
  return image;
}

std::int32_t StoredImage::at(const std::uint8_t* memory, int channel, int row, int column) const {
  const std::uint8_t* bytes = memory + address + offset(channel, row, column);
  if (sample_bytes == 1) return is_signed ? static_cast<std::int8_t>(bytes[0]) : bytes[0];
  const auto value = static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
  return is_signed ? static_cast<std::int16_t>(value) : value;
}

void StoredImage::set(std::uint8_t* memory, int channel, int row, int column, std::int32_t value) const {
  std::uint8_t* bytes = memory + address + offset(channel, row, column);
  for (int byte = 0; byte < sample_bytes; ++byte) bytes[byte] = static_cast<std::uint8_t>(value >> 8 * byte);
}

void StoredImage::fill(std::uint8_t* object, const network::Tensor& tensor) const {
  StoredImage there = *this;
  there.address = 0;
  tensor.visit_integers([&](auto values) {
    std::size_t i = 0;
    for (int channel = 0; channel < channels; ++channel)
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) there.set(object, channel, row, column, values[i++]);
  });
}

std::vector<std::int32_t> StoredImage::values(const std::uint8_t* memory) const {
  std::vector<std::int32_t> all;
  all.reserve(static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) * static_cast<std::size_t>(width));
  for (int channel = 0; channel < channels; ++channel)
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) all.push_back(at(memory, channel, row, column));
  return all;
}

}  // namespace fansim::vision
