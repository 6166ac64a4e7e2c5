// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/config/config.h"
#include "base/units.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::stream {

// Caches a layer's program: the part that decides its time and, while there is room, the program itself; or the reason
// why there is none.
class CachedProgram {
 public:
  using Least = std::array<base::Cycles, 2>;  // without and with reloads of tables

  explicit CachedProgram(std::string why_none) : refusal(std::move(why_none)) {}
  explicit CachedProgram(TimedProgram timed);
  // Copies a cached program without the program itself.
  CachedProgram(const CachedProgram& whole, const Least& least)
      : steps(whole.steps), largest_write(whole.largest_write), least_(least) {}

  // Returns a lower bound of the layer's cycles that holds for every configuration for which it was compiled. It is
  // computed when it is first asked for.
  base::Cycles least(const Config& config) const;

  const std::string steps, refusal;
  const std::optional<TimedProgram> program;
  const int largest_write = 0;  // that of the layer's trace

 private:
  mutable std::once_flag asked_;
  mutable Least least_{};
};

// Caches programs of layers. Each is compiled once for all configurations that the compiler does not distinguish, and
// for all layers and configurations that are cut into the same jobs. It may be used by several threads.
class ProgramCache {
 public:
  // Keeps programs up to this number of bytes; further programs are compiled each time.
  explicit ProgramCache(std::size_t most_bytes = std::size_t{192} << 20) : most_bytes_(most_bytes) {}

  using Program = std::shared_ptr<const CachedProgram>;
  // `by` is the configuration's program_key.
  Program of(const Config& config, const std::string& by, const network::Network& network, int layer);

 private:
  // Reserves space for `bytes` bytes; returns whether there was enough.
  bool takes(std::size_t bytes);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Program>> programs_;  // program_key -> one entry for each layer
  std::unordered_map<std::string, Program> cuts_;                   // cut_key with the cut into jobs -> entry
  std::size_t bytes_kept_ = 0;
};

}  // namespace fansim::stream
