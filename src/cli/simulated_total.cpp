// SPDX-License-Identifier: Apache-2.0
#include "cli/simulated_total.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/file.h"
#include "cli/child.h"

namespace fansim::cli {

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "fansim.XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

nlohmann::json simulated_total(const std::string& config, const std::string& network,
                               const std::vector<std::string>& settings, const TemporaryFolder& folder) {
  const std::string file = folder.path() + "/run.json";
  std::filesystem::remove(file);
  std::vector<std::string> arguments{"run", config, network, "--timing-only", "--json", file};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  const int code = run_self(arguments);
  if (!std::filesystem::exists(file))
    throw std::runtime_error(fmt::format("the run of {} ended with exit code {}", network, code));
  return nlohmann::json::parse(base::read_file(file))["total"];
}

}  // namespace fansim::cli
