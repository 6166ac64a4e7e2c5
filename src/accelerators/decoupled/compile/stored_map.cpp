// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/stored_map.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "accelerators/decoupled/config/arithmetic.h"
#include "base/interrupt.h"

namespace fansim::decoupled {

StoredMap::StoredMap(std::string map_name, const network::Shape& shape, const network::NumberFormat& format,
                     const Config& config)
    : name(std::move(map_name)),
      channels(shape.channels),
      rows(shape.height),
      columns(shape.width),
      block(config.block()),
      batch(config.array.batch),
      value_bytes(config.data.bytes()),
      is_unsigned(format.is_unsigned()) {}

StoredMap StoredMap::flattened() const {
  StoredMap vector = *this;
  vector.channels = planes() * rows * columns * block;
  vector.rows = vector.columns = 1;
  return vector;
}

StoredMap StoredMap::part(int first_channel, int count) const {
  StoredMap one = *this;
  one.address += static_cast<std::uint32_t>(first_channel / block * plane_bytes());
  one.channels = count;
  return one;
}

Planes StoredMap::planes_of(Span of, Span rows_, Span columns_) const {
  const std::int64_t at =
      of.first / block * plane_bytes() + (std::int64_t{rows_.first} * columns + columns_.first) * vector_bytes();
  return {{address + static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(columns * vector_bytes()),
           static_cast<std::uint32_t>(columns_.count * vector_bytes()), static_cast<std::uint32_t>(rows_.count)},
          static_cast<std::uint32_t>(plane_bytes()),
          base::ceil_div(of.count, block)};
}

Planes StoredMap::row_of(Span of) const {
  const auto bytes = static_cast<std::uint32_t>(base::ceil_div(of.count, block) * vector_bytes());
  return {{address + static_cast<std::uint32_t>(of.first / block * vector_bytes()), bytes, bytes, 1}, bytes, 1};
}

std::vector<std::int32_t> StoredMap::values(const std::uint8_t* memory) const {
  std::vector<std::int32_t> values;
  values.reserve(static_cast<std::size_t>(channels) * static_cast<std::size_t>(rows * columns));
  const std::int64_t picture = std::int64_t{block} * value_bytes;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < rows; ++y) {
      base::stop_if_interrupted();
      for (int x = 0; x < columns; ++x) {
        const std::uint8_t* const at = memory + address + offset(c, y, x);
        values.push_back(value_at(at, value_bytes, is_unsigned));
        for (int other = 1; other < batch; ++other)
          if (value_at(at + other * picture, value_bytes, is_unsigned) != values.back())
            throw std::logic_error(fmt::format("{}: picture {} of the batch is another than the first at ({}, {}, {})",
                                               name, other, c, y, x));
      }
    }
  return values;
}

void StoredMap::write(const network::Tensor& tensor, std::uint8_t* memory) const {
  std::size_t i = 0;
  const std::int64_t picture = std::int64_t{block} * value_bytes;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < rows; ++y) {
      base::stop_if_interrupted();
      for (int x = 0; x < columns; ++x, ++i)
        for (int of_batch = 0; of_batch < batch; ++of_batch)
          put_integer(tensor.word(i), memory + address + offset(c, y, x) + of_batch * picture, value_bytes);
    }
}

}  // namespace fansim::decoupled
