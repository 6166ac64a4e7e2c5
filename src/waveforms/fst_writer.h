// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "waveforms/wave_writer.h"

namespace fansim::waveforms {

// GTKWave's FST, in which each variable's changes are stored by themselves and packed: blocks of what changed, each
// with its times and the values at its begin; then how wide variables are, and how they are called. Written when all is
// there, since its header says where it ends; until then only the last block is not packed.
class FstWriter final : public WaveWriter {
 public:
  // Its times are 10^exponent seconds.
  FstWriter(Sink sink, int exponent) : WaveWriter(std::move(sink)), exponent_(exponent) {}

 private:
  // A variable's changes in the block under way.
  struct Changes {
    std::string bytes;
    std::size_t last = 0;  // time's number in the block
  };

  void begin() override;
  void change(std::size_t variable) override;
  void end() override;
  void order(const Scope& scope);
  void begin_block();
  void end_block();
  void add(std::size_t variable);
  static void add(const std::string& digits, std::uint64_t further, std::string& to);
  std::string header(std::uint64_t scopes_in_it) const;
  std::string geometry() const;
  void print(const Scope& scope, std::string& to, std::uint64_t& count);

  const int exponent_;
  std::vector<std::size_t> order_;  // of variables in the hierarchy, which numbers them
  std::int64_t first_ = 0, last_ = 0;
  // The block under way.
  std::string frame_, times_;
  std::vector<Changes> changes_;  // of each variable
  std::size_t size_ = 0;          // of all of them
  std::size_t time_count_ = 0;
  std::int64_t block_first_ = 0;
  // Those before.
  std::string blocks_;
  std::uint64_t block_count_ = 0;
};

}  // namespace fansim::waveforms
