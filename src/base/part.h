// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fansim::base {

// One part of some work that is cut into `of` parts; `index` counts from 0.
struct Part {
  static constexpr std::uint64_t kMost = 100'000;
  int index = 0, of = 1;

  // This part of a row of `count` things is [begin, end).
  std::size_t begin(std::size_t count) const { return count * static_cast<std::size_t>(index) / whole(); }
  std::size_t end(std::size_t count) const { return count * (static_cast<std::size_t>(index) + 1) / whole(); }

 private:
  std::size_t whole() const { return static_cast<std::size_t>(of); }
};

}  // namespace fansim::base
