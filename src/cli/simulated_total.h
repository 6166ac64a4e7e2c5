// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fansim::cli {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The total of `run CONFIG NETWORK ... --timing-only` in a process of its own, as its JSON has it.
nlohmann::json simulated_total(const std::string& config, const std::string& network,
                               const std::vector<std::string>& settings, const TemporaryFolder& folder);

}  // namespace fansim::cli
