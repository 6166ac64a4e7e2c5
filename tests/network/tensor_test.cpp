// SPDX-License-Identifier: Apache-2.0
#include "network/tensor.h"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "base/npy.h"
#include "support/user_error.h"

namespace fansim::tensor_test {

using namespace network;

namespace {

Tensor row_of(const NumberFormat& format, std::size_t values) {
  Tensor tensor{Shape::map(1, 1, static_cast<int>(values)), format, {}};
  tensor.resize(values);
  return tensor;
}

// Both ends of T, and what lies around zero.
template <class T>
std::vector<T> values_of() {
  using Limits = std::numeric_limits<T>;
  const T minus_one = static_cast<T>(Limits::is_signed ? -1 : 2);
  return {Limits::lowest(), minus_one, 0, 1, Limits::max()};
}

// Calls act(T{}) for the C++ type of every DataType.
template <class Act>
void for_every_type(Act act) {
  for (const base::DataTypeFacts& facts : base::kDataTypes) {
    INFO(facts.word);
    base::with_type(facts.type, act);
  }
}

}  // namespace

TEST_CASE("every type's facts are those of its C++ type and of its name in .npy files") {
  int seen = 0;
  for (const base::DataTypeFacts& facts : base::kDataTypes) {
    INFO(facts.word);
    CHECK(facts.type == static_cast<DataType>(seen++));
    CHECK(&base::facts(facts.type) == &facts);
    base::with_type(facts.type, [&](auto zero) {
      using T = decltype(zero);
      CHECK(base::data_type<T>() == facts.type);
      CHECK(facts.bytes == sizeof(T));
      CHECK(facts.is_signed == std::is_signed_v<T>);
      CHECK(facts.is_floating == std::is_floating_point_v<T>);
      CHECK(static_cast<T>(facts.lowest) == std::numeric_limits<T>::lowest());
      CHECK(static_cast<T>(facts.highest) == std::numeric_limits<T>::max());
    });
    const std::string kind = facts.is_floating ? "float" : facts.is_signed ? "int" : "uint";
    CHECK(facts.word == kind + std::to_string(8 * facts.bytes));
    CHECK(facts.descr == (facts.bytes == 1 ? "|" : "<") + kind.substr(0, 1) + std::to_string(facts.bytes));
  }
}

TEST_CASE("a tensor of any integer type keeps both ends of it") {
  for_every_type([](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_floating_point_v<T>) {
      const NumberFormat format = NumberFormat::of(base::data_type<T>());
      CHECK(format.lowest() == std::numeric_limits<T>::lowest());
      CHECK(format.highest() == std::numeric_limits<T>::max());
      const std::vector<T> values = values_of<T>();
      Tensor tensor = row_of(format, values.size());
      CHECK(tensor.bytes.size() == values.size() * sizeof(T));
      for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(tensor.at(i) == values[i]);
        CHECK(tensor.view<T>()[i] == values[i]);
      }
    }
  });
}

TEST_CASE("a tensor keeps every value of every width and says its limits") {
  for (int bits = 1; bits <= 16; ++bits) {
    for (const bool is_unsigned : {false, true}) {
      const NumberFormat format = NumberFormat::codes(bits, is_unsigned);
      Tensor tensor = row_of(format, std::size_t{1} << bits);
      INFO(bits << " bits");
      CHECK(format.is_unsigned() == is_unsigned);
      CHECK(tensor.bytes.size() == (std::size_t{1} << bits) * (bits > 8 ? 2 : 1));
      CHECK(format.lowest() == (is_unsigned ? 0 : -(1 << (bits - 1))));
      CHECK(format.highest() == format.lowest() + (1 << bits) - 1);
      for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, format.lowest() + static_cast<int>(i));
      for (std::size_t i = 0; i < tensor.size(); ++i) REQUIRE(tensor.at(i) == format.lowest() + static_cast<int>(i));
    }
  }
}

TEST_CASE("codes are held in the narrowest type") {
  CHECK(NumberFormat::codes(4) == NumberFormat{DataType::int8, 0, 4});
  CHECK(NumberFormat::codes(8, true, 3) == NumberFormat{DataType::uint8, 3, 8});
  CHECK(NumberFormat::codes(9) == NumberFormat{DataType::int16, 0, 9});
  CHECK(NumberFormat::codes(16, true) == NumberFormat::of(DataType::uint16));
  CHECK(NumberFormat::codes(17) == NumberFormat{DataType::int32, 0, 17});
  CHECK(NumberFormat::codes(32, false, -5) == NumberFormat::of(DataType::int32, -5));
  CHECK(NumberFormat::codes(24).lowest() == -(1 << 23));
  CHECK_THROWS_AS(NumberFormat::codes(33), std::invalid_argument);
  CHECK_THROWS_AS(NumberFormat::codes(17, true), std::invalid_argument);
  CHECK_THROWS_AS(NumberFormat::codes(0), std::invalid_argument);
}

TEST_CASE("elements of two bytes and more are little-endian") {
  Tensor tensor = row_of(NumberFormat::of(DataType::int32), 2);
  tensor.set(0, 0x01020304);
  tensor.set(1, -2);
  CHECK(tensor.bytes == std::vector<std::uint8_t>{4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff});
}

TEST_CASE("a tensor of float32 keeps its reals and is no tensor of integers") {
  const std::vector<float> values = values_of<float>();
  Tensor tensor = row_of(NumberFormat::of(DataType::float32), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_real(i, values[i] / 3);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(tensor.real(i) == values[i] / 3);
  CHECK_THROWS_WITH(tensor.at(0), "a tensor of float32 read as integers");
  CHECK_THROWS_AS(tensor.set(0, 1), std::logic_error);
}

TEST_CASE("a view refuses another type than the tensor's") {
  for_every_type([](auto zero) {
    using Held = decltype(zero);
    const Tensor tensor = row_of(NumberFormat::of(base::data_type<Held>()), 3);
    for_every_type([&](auto other) {
      using Asked = decltype(other);
      if constexpr (std::is_same_v<Asked, Held>) {
        CHECK(tensor.view<Asked>().size() == 3);
      } else {
        CHECK_THROWS_AS(tensor.view<Asked>(), std::logic_error);
      }
    });
  });
  CHECK_THROWS_WITH(row_of(NumberFormat::codes(4, true), 1).view<std::int8_t>(), "a tensor of uint8 read as int8");
  CHECK_THROWS_WITH(row_of(NumberFormat::codes(8), 1).real(0), "a tensor of int8 read as float32");
}

TEST_CASE("a tensor of any type reads back from .npy as it was written and as no other type") {
  const test::ScratchDirectory dir;
  const std::string path = dir / "a.npy";
  for_every_type([&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = values_of<T>();
    Tensor tensor = row_of(NumberFormat::of(base::data_type<T>()), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) tensor.view<T>().set(i, values[i]);
    base::write_npy(path, tensor.shape.dims(), tensor.format.type, tensor.bytes);
    CHECK(base::read_npy<T>(path, tensor.shape.dims()) == values);
    base::write_npy(path, tensor.shape.dims(), values);
    CHECK(base::read_npy(path, tensor.format.type, tensor.shape.dims()) == tensor.bytes);
    for (const base::DataTypeFacts& other : base::kDataTypes) {
      const std::string message = test::message_of([&] { base::read_npy(path, other.type, tensor.shape.dims()); });
      const std::string found = base::facts(tensor.format.type).word;
      CHECK(message ==
            (other.type == tensor.format.type ? "" : path + ": expected " + other.word + ", found " + found));
    }
  });
}

}  // namespace fansim::tensor_test
