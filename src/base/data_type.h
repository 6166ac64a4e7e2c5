// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace fansim::base {

// The type of a tensor's elements, in memory and in .npy files: little-endian, two's complement, IEEE 754.
enum class DataType : std::uint8_t { int8, uint8, int16, uint16, int32, float32 };

struct DataTypeFacts {
  DataType type;
  const char* word;   // as YAML and messages have it
  const char* descr;  // as the header of an .npy file has it
  std::size_t bytes;  // size of one element
  bool is_signed;
  bool is_floating;
  double lowest, highest;  // finite element, exact
};

template <class T>
constexpr DataTypeFacts facts_of(DataType type, const char* word, const char* descr) {
  using Limits = std::numeric_limits<T>;
  return {type,
          word,
          descr,
          sizeof(T),
          Limits::is_signed,
          !Limits::is_integer,
          static_cast<double>(Limits::lowest()),
          static_cast<double>(Limits::max())};
}

// The rows have the order of DataType. A new type takes a row here and a case in with_type().
inline constexpr std::array<DataTypeFacts, 6> kDataTypes{
    facts_of<std::int8_t>(DataType::int8, "int8", "|i1"),    facts_of<std::uint8_t>(DataType::uint8, "uint8", "|u1"),
    facts_of<std::int16_t>(DataType::int16, "int16", "<i2"), facts_of<std::uint16_t>(DataType::uint16, "uint16", "<u2"),
    facts_of<std::int32_t>(DataType::int32, "int32", "<i4"), facts_of<float>(DataType::float32, "float32", "<f4")};

constexpr const DataTypeFacts& facts(DataType type) { return kDataTypes[static_cast<std::size_t>(type)]; }

// Returns T's DataType. If T has none, the call is no constant expression.
template <class T>
constexpr DataType data_type() {
  for (const DataTypeFacts& facts : kDataTypes) {
    if (facts.bytes == sizeof(T) && facts.is_signed == std::is_signed_v<T> &&
        facts.is_floating == std::is_floating_point_v<T>) {
      return facts.type;
    }
  }
  throw std::logic_error("no DataType");
}

// Calls f(T{}) with the C++ type of `type`. A function that is called once for a whole tensor thus has loops over a
// known type.
template <class F>
decltype(auto) with_type(DataType type, F&& f) {
  switch (type) {
    case DataType::int8:
      return f(std::int8_t{});
    case DataType::uint8:
      return f(std::uint8_t{});
    case DataType::int16:
      return f(std::int16_t{});
    case DataType::uint16:
      return f(std::uint16_t{});
    case DataType::int32:
      return f(std::int32_t{});
    case DataType::float32:
      return f(float{});
  }
  throw std::logic_error("no DataType");
}

}  // namespace fansim::base
