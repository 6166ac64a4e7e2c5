// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "sim/memory_port.h"

namespace fansim::cosim {

struct Read {
  int target = 0, offset = 0;
};

// Models a memory of three targets with random contents. SystemC blocks read it at once and count the latency
// themselves. Twins get what they requested `latency` enabled edges later, as from a block RAM.
class Memory final : public sim::ReadPort {
 public:
  explicit Memory(base::Random& random) {
    for (auto& target : bytes_) {
      target.resize(kBytes + kWidest);
      for (std::uint8_t& byte : target) byte = static_cast<std::uint8_t>(random.next());
    }
  }

  bool readable(int) const override { return true; }
  const std::uint8_t* read(int target, int offset, int) override {
    last_ = Read{target, offset};
    return at(*last_);
  }

  std::vector<std::uint8_t>& bytes(int target) { return bytes_[static_cast<std::size_t>(target)]; }
  const std::uint8_t* at(Read read) const {
    const auto& target = bytes_[static_cast<std::size_t>(read.target)];
    return &target[static_cast<std::size_t>(read.offset) % kBytes];
  }
  // Returns what the SystemC block has read since the last call.
  std::optional<Read> take_last() {
    const std::optional<Read> last = last_;
    last_.reset();
    return last;
  }

 private:
  static constexpr std::size_t kBytes = 1 << 16;  // addresses wrap, so that a twin may present any while it reads none
  static constexpr std::size_t kWidest = 1 << 12;

  std::array<std::vector<std::uint8_t>, 3> bytes_;
  std::optional<Read> last_;
};

}  // namespace fansim::cosim
