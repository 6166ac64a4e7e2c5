// SPDX-License-Identifier: Apache-2.0
#include "cli/engine_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fansim::cli {

namespace {

// FNV-1a over words of eight bytes in place of bytes: memories are large.
std::uint64_t hash_of(const std::uint8_t* ddr, std::size_t bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t at = 0; at < bytes; at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, ddr + at, std::min(sizeof word, bytes - at));
    hash = (hash ^ word) * kPrime;
  }
  return hash;
}

void compare_layers(const arch::LayerResult& clocked, const arch::LayerResult& fast, std::vector<std::string>& lines) {
  const auto compare = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (a != b) lines.push_back(fmt::format("{}: {} differ: clocked {}, fast {}", clocked.name, what, a, b));
  };
  compare("cycle counts", clocked.cycles, fast.cycles);
  for (int i = 0; i < arch::kBuckets; ++i) {
    const auto at = static_cast<std::size_t>(i);
    compare(fmt::format("cycles of {}", arch::name(static_cast<arch::Bucket>(i))), clocked.buckets[at],
            fast.buckets[at]);
  }
  compare("bytes read", clocked.bytes_read, fast.bytes_read);
  compare("bytes written", clocked.bytes_written, fast.bytes_written);
  compare("multiply-accumulates", clocked.macs, fast.macs);
  compare("stages", static_cast<std::int64_t>(clocked.stages.size()), static_cast<std::int64_t>(fast.stages.size()));
  for (std::size_t i = 0; i < std::min(clocked.stages.size(), fast.stages.size()); ++i) {
    const arch::StageResult &a = clocked.stages[i], &b = fast.stages[i];
    compare(a.name + ": tiles", a.tiles, b.tiles);
    compare(a.name + ": beats", a.beats, b.beats);
    compare(a.name + ": cycles", a.cycles, b.cycles);
  }
}

}  // namespace

void EngineDifference::remember(const std::uint8_t* ddr) { hashes_.push_back(hash_of(ddr, bytes_)); }

void EngineDifference::compare(const arch::LayerPlan& plan, const std::uint8_t* ddr) {
  if (compared_ < hashes_.size() && hashes_[compared_++] != hash_of(ddr, bytes_))
    memory_differs_.push_back(fmt::format("{}: the engines leave different bytes in memory", plan.name));
}

std::vector<std::string> EngineDifference::of(const std::vector<arch::LayerResult>& clocked,
                                              const std::vector<arch::LayerResult>& fast) const {
  std::vector<std::string> lines;
  if (clocked.size() != fast.size())
    lines.push_back(fmt::format("the clocked engine ran {} layers, the fast one {}", clocked.size(), fast.size()));
  for (std::size_t i = 0; i < std::min(clocked.size(), fast.size()); ++i) compare_layers(clocked[i], fast[i], lines);
  lines.insert(lines.end(), memory_differs_.begin(), memory_differs_.end());
  return lines;
}

}  // namespace fansim::cli
