// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "waveforms/wave_writer.h"

namespace fansim::waveforms {

// Writes GTKWave's FST format, in which each variable's changes are stored by themselves and compressed. Blocks of
// changes come first, each with its times and the values at its begin; the widths and names of variables follow. The
// file is written when all is known, since its header says where it ends. Until then all blocks but the last one are
// held compressed. Numbers of words have FST's tables of enumerations, by which viewers show the words.
class FstWriter final : public WaveWriter {
 public:
  // Times are in units of 10^exponent seconds.
  FstWriter(Sink sink, int exponent, Words words = Words::enums)
      : WaveWriter(std::move(sink), words), exponent_(exponent) {}

 private:
  // A signal's changes in the current block.
  struct Changes {
    std::string bytes;
    std::size_t last = 0;  // number of the last change's time in the block
  };

  void begin() override;
  void change(std::size_t signal) override;
  void end() override;
  void order(const Scope& scope);
  void begin_block();
  void end_block();
  void add(std::size_t signal);
  static void add(const std::string& digits, std::uint64_t further, std::string& to);
  std::string header(std::uint64_t scopes_in_it) const;
  std::string geometry() const;
  void print(const Scope& scope, std::string& to, std::uint64_t& count);
  static void print_table(const Variable& variable, std::size_t handle, std::string& to);

  const int exponent_;
  std::vector<std::size_t> order_;  // signals in the order of the hierarchy, which numbers them
  std::int64_t first_ = 0, last_ = 0;
  // The current block.
  std::string frame_, times_;
  std::vector<Changes> changes_;  // by signal
  std::size_t size_ = 0;          // bytes of all changes_
  std::size_t time_count_ = 0;
  std::int64_t block_first_ = 0;
  // The blocks before the current one.
  std::string blocks_;
  std::uint64_t block_count_ = 0;
};

}  // namespace fansim::waveforms
