// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "network/number_format.h"
#include "network/shape.h"

namespace fansim::network {

// A tensor's elements in their own type, T or const T. It is valid until the tensor's bytes are resized.
template <class T>
class View {
 public:
  using Value = std::remove_const_t<T>;
  using Byte = std::conditional_t<std::is_const_v<T>, const std::uint8_t, std::uint8_t>;

  View(Byte* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  std::size_t size() const { return size_; }
  Value operator[](std::size_t i) const {
    Value value;
    std::memcpy(&value, bytes_ + i * sizeof(Value), sizeof(Value));
    return value;
  }
  void set(std::size_t i, Value value) const { std::memcpy(bytes_ + i * sizeof(Value), &value, sizeof(Value)); }

 private:
  Byte* bytes_;
  std::size_t size_;
};

// A tensor. Its values are in the order C,H,W or steps,features.
struct Tensor {
  Shape shape;
  NumberFormat format;
  std::vector<std::uint8_t> bytes;  // elements of format.type, one after the other, as in .npy files

  std::size_t size() const { return bytes.size() / format.value_bytes(); }
  void resize(std::size_t values) { bytes.resize(values * format.value_bytes()); }

  // Returns the elements. Throws logic_error if the tensor has another type.
  template <class T>
  View<T> view() {
    return view_of<T>(*this);
  }
  template <class T>
  View<const T> view() const {
    return view_of<const T>(*this);
  }

  // Calls f(view) with the elements in their own integer type, for loops over all of them. Throws logic_error for
  // float32.
  template <class F>
  decltype(auto) visit_integers(F&& f) {
    return visit_integers_of(*this, f);
  }
  template <class F>
  decltype(auto) visit_integers(F&& f) const {
    return visit_integers_of(*this, f);
  }

  // Read or write one element of any integer type; set() keeps the low bits.
  int at(std::size_t i) const {
    return visit_integers([i](auto values) -> int { return values[i]; });
  }
  void set(std::size_t i, int value) {
    visit_integers([=](auto values) { values.set(i, static_cast<typename decltype(values)::Value>(value)); });
  }
  // One element as a machine stores it: an integer, or the bits of a float.
  std::int32_t word(std::size_t i) const {
    if (format.type != DataType::float32) return at(i);
    std::int32_t bits = 0;
    std::memcpy(&bits, &bytes[i * sizeof bits], sizeof bits);
    return bits;
  }
  void set_words(const std::vector<std::int32_t>& words) {
    resize(words.size());
    if (format.type == DataType::float32)
      std::memcpy(bytes.data(), words.data(), bytes.size());
    else
      visit_integers([&](auto elements) {
        using Code = typename decltype(elements)::Value;
        for (std::size_t i = 0; i < words.size(); ++i) elements.set(i, static_cast<Code>(words[i]));
      });
  }
  // One element of float32.
  float real(std::size_t i) const { return view<float>()[i]; }
  void set_real(std::size_t i, float value) { view<float>().set(i, value); }

 private:
  [[noreturn]] void refuse(const char* wanted) const {
    throw std::logic_error(std::string("a tensor of ") + base::facts(format.type).word + " read as " + wanted);
  }

  template <class T, class Self>
  static View<T> view_of(Self& self) {
    constexpr DataType kType = base::data_type<std::remove_const_t<T>>();
    if (self.format.type != kType) self.refuse(base::facts(kType).word);
    return {self.bytes.data(), self.bytes.size() / sizeof(T)};
  }

  template <class Self, class F>
  static auto visit_integers_of(Self& self, F& f) -> decltype(f(self.template view<std::int8_t>())) {
    using Result = decltype(f(self.template view<std::int8_t>()));
    return base::with_type(self.format.type, [&](auto zero) -> Result {
      using T = decltype(zero);
      if constexpr (std::is_floating_point_v<T>) {
        self.refuse("integers");
      } else {
        return f(self.template view<T>());
      }
    });
  }
};

}  // namespace fansim::network
