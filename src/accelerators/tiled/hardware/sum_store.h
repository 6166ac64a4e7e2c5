// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "accelerators/tiled/hardware/types.h"
#include "sim/storage.h"

namespace fansim::tiled {

// Holds an engine's partial sums, [half][entry][channel], in the smallest type that fits: integers modulo 2^32, or
// modulo 2^64 if the accumulator is wider than 32 bits, or single precision. An entry is as wide as the vectors that
// add to it.
class SumStore {
 public:
  enum class Kind { int32, int64, real };

  SumStore(const EngineConfig& engine, int halves, bool float_sum, int accumulator_bits, bool values = true);

  Kind kind() const { return kind_; }
  int entries() const { return entries_; }  // entries of a half
  int halves() const { return halves_; }
  sim::RamPorts& port(int half) { return ports_[static_cast<std::size_t>(half)]; }  // accesses are counted in entries
  int pitch() const { return pitch_; }                                              // channels of an entry

  std::int32_t* int32(int half, int entry) { return int32_.data() + at(half, entry); }
  std::int64_t* int64(int half, int entry) { return int64_.data() + at(half, entry); }
  float* real(int half, int entry) { return real_.data() + at(half, entry); }

  // Returns the entries of all halves, with their channels beyond the engine's.
  sim::StoredWords stored();

 private:
  std::ptrdiff_t at(int half, int entry) const { return (std::ptrdiff_t{half} * entries_ + entry) * pitch_; }

  Kind kind_;
  int entries_, halves_, pitch_, bits_;
  std::vector<sim::RamPorts> ports_;
  std::vector<std::int32_t> int32_;
  std::vector<std::int64_t> int64_;
  std::vector<float> real_;
};

}  // namespace fansim::tiled
