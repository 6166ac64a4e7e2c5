// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fansim::base {

// Hashes bytes with FNV-1a, 64 bits (Fowler, Noll, Vo). Bytes may be added in pieces: the hash depends on their order
// only.
class Fnv1a {
 public:
  Fnv1a& add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3u;
    return *this;
  }
  Fnv1a& add(std::string_view text) { return add(text.data(), text.size()); }
  std::uint64_t value() const { return value_; }

  // Returns 16 lower-case hexadecimal digits.
  std::string text() const {
    std::string digits(16, '0');
    for (std::size_t i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[(value_ >> (60 - 4 * i)) & 15];
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace fansim::base
