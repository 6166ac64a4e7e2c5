// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace against {

// Represents a port of a Verilated model, of any width, or some bits of a port of at most 64 bits. It may also
// represent no port: then values driven to it are dropped, and it reads as `tied`.
class Pin {
 public:
  Pin() = default;
  template <class Port>
  explicit Pin(Port& port) : data_(reinterpret_cast<char*>(&port)), bytes_(sizeof port) {}
  static Pin tied(std::uint64_t value) {
    Pin pin;
    pin.tied_ = value;
    return pin;
  }

  Pin slice(int low, int bits) const {
    Pin pin = *this;
    pin.low_ = low, pin.mask_ = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
    return pin;
  }

  void put(std::uint64_t value) const {
    if (!data_) return;
    if (sliced()) value = (whole() & ~(mask_ << low_)) | (value & mask_) << low_;
    std::memcpy(data_, &value, std::min(bytes_, sizeof value));
  }
  void put(const std::uint8_t* bytes) const {
    if (data_) std::memcpy(data_, bytes, bytes_);
  }
  // Accesses wide ports, 32 bits at a time.
  void put_word(std::size_t word, std::uint32_t value) const {
    if (sliced()) return put(value);
    if (4 * word < bytes_) std::memcpy(data_ + 4 * word, &value, std::min<std::size_t>(bytes_ - 4 * word, 4));
  }
  std::uint64_t get() const { return data_ ? whole() >> low_ & mask_ : tied_; }
  std::uint32_t get_word(std::size_t word) const {
    if (sliced()) return static_cast<std::uint32_t>(get());
    std::uint32_t value = 0;
    if (4 * word < bytes_) std::memcpy(&value, data_ + 4 * word, std::min<std::size_t>(bytes_ - 4 * word, 4));
    return value;
  }

 private:
  bool sliced() const { return mask_ != ~std::uint64_t{0}; }
  std::uint64_t whole() const {
    std::uint64_t value = 0;
    std::memcpy(&value, data_, std::min(bytes_, sizeof value));
    return value;
  }

  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t tied_ = 0;
  int low_ = 0;
  std::uint64_t mask_ = ~std::uint64_t{0};
};

}  // namespace against
