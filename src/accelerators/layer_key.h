// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/rational.h"
#include "base/units.h"
#include "contract/ddr.h"
#include "contract/host.h"
#include "contract/program.h"
#include "timing/edge.h"
#include "timing/gap.h"

// This file defines the keys of layers in a search: two layers with the same key take the same number of cycles.
namespace fansim::accelerators {

// Holds what the gap after the last burst carries over into the next layer: the number of edges, from its begin, before
// which a reader accepts no data or the writer pushes no burst. 0: none.
struct Gaps {
  base::Cycles inputs = 0, weights = 0, outputs = 0;
};

inline base::Cycles reaching(timing::Edge gap, const contract::HostConfig& host) {
  return timing::delays(gap, host) ? gap : 0;
}
inline timing::Edge edge_of(base::Cycles gap) { return gap > 0 ? gap : timing::kLongAgo; }

// Hashes what is too long for a key to 128 bits in two lanes. The second lane absorbs every state of the first, so that
// two values that collide in the first lane do not collide in the second.
class Digest {
 public:
  void add(std::uint64_t word) {
    // The constants are those of splitmix64 (Steele, Lea, Flood 2014) and of MurmurHash3's finaliser (Appleby).
    first_ = (first_ ^ word) * 0xbf58476d1ce4e5b9u;
    first_ = (first_ ^ (first_ >> 27)) * 0x94d049bb133111ebu;
    first_ ^= first_ >> 31;
    second_ = (second_ ^ first_) * 0xff51afd7ed558ccdu;
  }
  void add(const std::string& bytes) { add(bytes.data(), bytes.size()); }
  template <class Element>
  void add(const std::vector<Element>& all) {
    static_assert(std::has_unique_object_representations_v<Element>);
    add(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Element));
  }
  std::string bytes() const {
    std::string bytes(reinterpret_cast<const char*>(&first_), sizeof first_);
    return bytes.append(reinterpret_cast<const char*>(&second_), sizeof second_);
  }

 private:
  void add(const char* bytes, std::size_t size) {
    add(size);
    std::uint64_t word = 0;
    std::size_t at = 0;
    for (; at + sizeof word <= size; at += sizeof word) {
      std::memcpy(&word, bytes + at, sizeof word);
      add(word);
    }
    std::memcpy(&word, bytes + at, size - at);  // the bytes after the last whole word
    add(word);
  }

  std::uint64_t first_ = 1, second_ = 2;
};

// Appends values as bytes.
class KeyBytes {
 public:
  // Reserves space for that many bytes.
  explicit KeyBytes(std::size_t bytes = 0) { text_.reserve(bytes); }

  void add(std::int64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(double value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const std::string& value) {
    add(static_cast<std::int64_t>(value.size()));
    text_ += value;
  }

  void field(const char*, int& value, int, int, const base::Doc&) { add(std::int64_t{value}); }
  void field(const char*, double& value, double, double, const base::Doc&) { add(value); }
  // A cost may be multiplied before it is rounded, so its edges alone do not tell it apart.
  void field(const char*, base::Cost& value, int, int, const base::Doc&) {
    add(std::int64_t{value});
    if (!value.is_timed()) return;
    add(value.picoseconds());
    clock(value.clock());
  }
  void field(const char*, base::Bandwidth& value, int, int, const base::Doc&) { add(std::int64_t{value}); }
  void field(const char*, bool& value, const base::Doc&) { add(std::int64_t{value}); }
  void field(const char*, std::string& value, const base::Doc&) { add(value); }
  template <class Enum>
  void choice(const char*, Enum& value, base::Choices<Enum>, const base::Doc&) {
    add(static_cast<std::int64_t>(value));
  }

  template <class Block>
  void block(Block block) {
    block.visit(*this);
  }
  void clock(const base::Rational& mhz) {
    add(mhz.numerator);
    add(mhz.denominator);
  }
  void memory(const contract::DdrConfig& ddr) {
    block(ddr);
    if (ddr.fidelity != contract::DdrFidelity::banked) return;
    block(ddr.part);
    clock(ddr.part.clock_mhz);
    add(ddr.part.mapping.layout());
  }
  void steps(const contract::Program& program) {
    add(static_cast<std::int64_t>(program.ops.size()));
    const std::size_t at = text_.size();
    text_.resize(at + program.ops.size() * sizeof(Step));
    char* to = text_.data() + at;
    for (const contract::HostOp& op : program.ops) {
      const Step step{static_cast<std::uint32_t>(op.kind), op.address, op.value};
      to = std::copy_n(reinterpret_cast<const char*>(&step), sizeof step, to);
    }
  }
  void bytes(const std::string& taken) { text_ += taken; }
  void gaps(const Gaps& gaps) {
    add(gaps.inputs);
    add(gaps.weights);
    add(gaps.outputs);
  }
  std::string take() { return std::move(text_); }
  // Returns the digest of all bytes.
  std::string digest() const {
    Digest digest;
    digest.add(text_);
    return digest.bytes();
  }

 private:
  using Step = std::array<std::uint32_t, 3>;

  std::string text_;
};

}  // namespace fansim::accelerators
