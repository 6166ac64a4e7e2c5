// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace fansim::contract {

// Bytes that are zero until they are written. They take no pages of the system's memory before that: for hundreds of
// MB, clearing takes longer than much of the work on them.
class MemoryImage {
 public:
  MemoryImage() = default;
  explicit MemoryImage(std::size_t size);
  MemoryImage(const std::uint8_t* begin, const std::uint8_t* end);
  MemoryImage(const std::vector<std::uint8_t>& bytes) : MemoryImage(bytes.data(), bytes.data() + bytes.size()) {}
  MemoryImage(const MemoryImage& other) : MemoryImage(other.begin(), other.end()) {}
  MemoryImage(MemoryImage&& other) noexcept { swap(other); }
  MemoryImage& operator=(MemoryImage other) noexcept {
    swap(other);
    return *this;
  }

  std::uint8_t* data() { return bytes_.get(); }
  const std::uint8_t* data() const { return bytes_.get(); }
  std::uint8_t& operator[](std::size_t at) { return bytes_[at]; }
  std::uint8_t operator[](std::size_t at) const { return bytes_[at]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::uint8_t* begin() const { return data(); }
  const std::uint8_t* end() const { return data() + size_; }
  void clear() { *this = {}; }
  friend bool operator==(const MemoryImage& a, const MemoryImage& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  void swap(MemoryImage& other) noexcept {
    bytes_.swap(other.bytes_);
    std::swap(size_, other.size_);
  }

  std::unique_ptr<std::uint8_t[], Free> bytes_;
  std::size_t size_ = 0;
};

}  // namespace fansim::contract
