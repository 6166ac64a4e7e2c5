// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace against {

// A port of a Verilated model, of any width, or none: what is driven there is dropped, what is read there is `tied`.
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

  void put(std::uint64_t value) const {
    if (data_) std::memcpy(data_, &value, std::min(bytes_, sizeof value));
  }
  void put(const std::uint8_t* bytes) const {
    if (data_) std::memcpy(data_, bytes, bytes_);
  }
  void put_word(std::size_t word, std::uint32_t value) const {
    if (4 * word < bytes_) std::memcpy(data_ + 4 * word, &value, std::min<std::size_t>(bytes_ - 4 * word, 4));
  }
  std::uint64_t get() const {
    std::uint64_t value = tied_;
    if (data_) value = 0, std::memcpy(&value, data_, std::min(bytes_, sizeof value));
    return value;
  }
  std::uint32_t get_word(std::size_t word) const {
    std::uint32_t value = 0;
    if (4 * word < bytes_) std::memcpy(&value, data_ + 4 * word, std::min<std::size_t>(bytes_ - 4 * word, 4));
    return value;
  }

 private:
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t tied_ = 0;
};

}  // namespace against
