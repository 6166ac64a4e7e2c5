// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "contract/ddr.h"
#include "contract/memory_image.h"

namespace fansim::compile {

// The memory before the program starts: objects in the order they were reserved, each at a multiple of `alignment`.
// Nothing is written before every object has its place, so the image is held once.
class Memory {
 public:
  // AXI4 splits bursts at multiples of 4 KiB: from such a start, an object's bursts, and so its layer's cycles, do not
  // depend on what else is in memory.
  static constexpr std::int64_t kBurstAlignment = 4096;

  explicit Memory(std::int64_t alignment = kBurstAlignment) : alignment_(alignment) {}

  using Fill = std::function<void(std::uint8_t* object)>;  // finds zeros

  std::uint32_t reserve(std::int64_t bytes, Fill fill = nullptr);
  // What is written into objects that are there, of all of the memory.
  void add(Fill fill) { objects_.push_back({0, std::move(fill)}); }
  // So many are there, or were added to others.
  std::size_t objects() const { return objects_.size(); }
  // What writes those from `first` on into all of the memory; they are no part of the image any more. None: nothing.
  Fill take_fills(std::size_t first);
  std::int64_t size() const { return size_; }
  std::int64_t reserved() const { return reserved_; }  // without what lies between the objects
  contract::MemoryImage image(bool values) const;
  // The last fill of all; none: the object that was reserved last has none.
  Fill last() const;

 private:
  struct Object {
    std::int64_t at;
    Fill fill;  // or none
  };
  static void write(const std::vector<Object>& objects, std::uint8_t* memory);

  const std::int64_t alignment_;
  std::vector<Object> objects_;
  std::int64_t size_ = 0, reserved_ = 0;
};

// In a banked DDR an object that starts with a row of the first bank shares its rows with no other: its layer's cycles
// do not depend on the others either.
std::int64_t object_alignment(const contract::DdrConfig& ddr);
// Bytes that a program may use.
std::int64_t memory_capacity(const contract::DdrConfig& ddr);

}  // namespace fansim::compile
