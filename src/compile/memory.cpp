// SPDX-License-Identifier: Apache-2.0
#include "compile/memory.h"

#include <algorithm>
#include <utility>

#include "base/interrupt.h"
#include "base/units.h"

namespace fansim::compile {

void Memory::write(const std::vector<Object>& objects, std::uint8_t* memory) {
  for (const Object& object : objects) {
    base::stop_if_interrupted();
    if (object.fill) object.fill(memory + object.at);
  }
}

std::uint32_t Memory::reserve(std::int64_t bytes, Fill fill) {
  const std::int64_t at = size_;
  objects_.push_back({at, std::move(fill)});
  reserved_ += bytes;
  size_ += base::round_up(bytes, alignment_);
  return static_cast<std::uint32_t>(at);
}

Memory::Fill Memory::take_fills(std::size_t first) {
  std::vector<Object> taken;
  for (std::size_t i = first; i < objects_.size(); ++i)
    if (Fill fill = std::exchange(objects_[i].fill, nullptr)) taken.push_back({objects_[i].at, std::move(fill)});
  if (taken.empty()) return nullptr;
  return [taken = std::move(taken)](std::uint8_t* memory) { write(taken, memory); };
}

contract::MemoryImage Memory::image(bool values) const {
  contract::MemoryImage bytes(static_cast<std::size_t>(size_));
  if (values) write(objects_, bytes.data());
  return bytes;
}

Memory::Fill Memory::last() const {
  const Object& object = objects_.back();
  if (!object.fill) return nullptr;
  return [fill = object.fill, at = object.at](std::uint8_t* memory) { fill(memory + at); };
}

std::int64_t object_alignment(const contract::DdrConfig& ddr) {
  if (ddr.fidelity != contract::DdrFidelity::banked) return Memory::kBurstAlignment;
  return std::max(Memory::kBurstAlignment, ddr.part.row_bytes());
}

std::int64_t memory_capacity(const contract::DdrConfig& ddr) {
  constexpr std::int64_t kAddressSpace = std::int64_t{1} << 32;
  if (ddr.fidelity != contract::DdrFidelity::banked) return kAddressSpace;
  return std::min(kAddressSpace, static_cast<std::int64_t>(ddr.part.bytes()));
}

}  // namespace fansim::compile
