// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "contract/ddr.h"
#include "contract/memory_image.h"

namespace fansim::compile {

// The memory before the program starts. Objects lie in the order in which they were reserved, each at a multiple of
// `alignment`. Nothing is written before every object has its place, so there is only one copy of the image.
class Memory {
 public:
  // AXI4 splits bursts at multiples of 4 KiB. If an object starts at such an address, its bursts, and so its layer's
  // cycles, do not depend on what else is in memory.
  static constexpr std::int64_t kBurstAlignment = 4096;

  explicit Memory(std::int64_t alignment = kBurstAlignment) : alignment_(alignment) {}

  using Fill = std::function<void(std::uint8_t* object)>;  // writes an object that is zero so far

  std::uint32_t reserve(std::int64_t bytes, Fill fill = nullptr);
  // Adds a function that writes into objects that exist already. It gets all of the memory.
  void add(Fill fill) { objects_.push_back({0, std::move(fill)}); }
  // Returns how many objects there are; a function that was added counts too.
  std::size_t objects() const { return objects_.size(); }
  // Returns a function that writes the objects from number `first` on into all of the memory, and removes them from the
  // image. Returns null if they write nothing.
  Fill take_fills(std::size_t first);
  std::int64_t size() const { return size_; }
  std::int64_t reserved() const { return reserved_; }  // without the gaps between the objects
  contract::MemoryImage image(bool values) const;
  // Returns a function that writes the last object into all of the memory; null if that object writes nothing.
  Fill last() const;

 private:
  struct Object {
    std::int64_t at;
    Fill fill;  // may be null
  };
  static void write(const std::vector<Object>& objects, std::uint8_t* memory);

  const std::int64_t alignment_;
  std::vector<Object> objects_;
  std::int64_t size_ = 0, reserved_ = 0;
};

// Returns the alignment of objects. In a banked DDR an object starts with a row of the first bank and shares its rows
// with no other object, so that its layer's cycles do not depend on the others.
std::int64_t object_alignment(const contract::DdrConfig& ddr);
// Returns the bytes that a program may use.
std::int64_t memory_capacity(const contract::DdrConfig& ddr);

}  // namespace fansim::compile
