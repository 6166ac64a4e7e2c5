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

// What is known of a layer's program: what of it decides its time, and as long as there is room itself; or why there is
// none.
class KnownProgram {
 public:
  using Least = std::array<base::Cycles, 2>;  // where tables are not reloaded, and where they are

  explicit KnownProgram(std::string why_none) : refusal(std::move(why_none)) {}
  explicit KnownProgram(TimedProgram timed);
  // Without the program.
  KnownProgram(const KnownProgram& whole, const Least& least)
      : steps(whole.steps), largest_write(whole.largest_write), least_(least) {}

  // Cycles that the layer takes at least, in any configuration that it was compiled for: found out when first asked
  // for.
  base::Cycles least(const Config& config) const;

  const std::string steps, refusal;
  const std::optional<TimedProgram> program;
  const int largest_write = 0;  // as its script's

 private:
  mutable std::once_flag asked_;
  mutable Least least_{};
};

// Programs of layers, each compiled once for all configurations that are alike to the compiler, and for all layers and
// configurations that are cut into jobs alike. For several threads.
class KnownPrograms {
 public:
  // Keeps programs of so many bytes in all; what is compiled beyond is compiled again.
  explicit KnownPrograms(std::size_t most_bytes = std::size_t{192} << 20) : most_bytes_(most_bytes) {}

  using Known = std::shared_ptr<const KnownProgram>;
  // `by` is the configuration's program_key.
  Known of(const Config& config, const std::string& by, const network::Network& network, int layer);

 private:
  // Whether there is room for so many bytes: then it is taken.
  bool takes(std::size_t bytes);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Known>> programs_;  // by what they depend on, of each layer
  std::unordered_map<std::string, Known> cuts_;                   // by what cuts them into jobs, and by how
  std::size_t bytes_kept_ = 0;
};

}  // namespace fansim::stream
