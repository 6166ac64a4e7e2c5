// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace fansim::compile {

// The memory before the program starts: objects in the order they were reserved, 4 KiB aligned. Nothing is written
// before every object has its place, so the image is held once.
class Memory {
 public:
  using Fill = std::function<void(std::uint8_t* object)>;  // finds zeros

  std::uint32_t reserve(std::int64_t bytes, Fill fill = nullptr);
  std::int64_t size() const { return size_; }
  std::vector<std::uint8_t> image(bool values) const;

 private:
  struct Object {
    std::int64_t at;
    Fill fill;
  };
  std::vector<Object> objects_;
  std::int64_t size_ = 0;
};

}  // namespace fansim::compile
