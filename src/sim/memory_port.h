// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::sim {

// Ports of an on-chip memory, as the blocks at its two sides see it. A target is a ping-pong half (0, 1) or the store
// beside them that has no halves (contract::kResident).

class ReadPort {
 public:
  virtual ~ReadPort() = default;
  // Returns false while the target is still being filled; reading it then is a violation.
  virtual bool readable(int target) const = 0;
  virtual const std::uint8_t* read(int target, int offset, int bytes) = 0;
};

class WritePort {
 public:
  virtual ~WritePort() = default;
  // Returns false while the target holds data that have not been fetched; writing it then is a violation.
  virtual bool writable(int target) const = 0;
  virtual void write(int target, int offset, const std::uint8_t* data, int bytes) = 0;
  // Says that the target is full. It is not writable again until it has been fetched.
  virtual void complete(int target) = 0;
};

}  // namespace fansim::sim
