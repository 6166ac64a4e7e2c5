// SPDX-License-Identifier: Apache-2.0
#include "cli/simulated_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "base/file.h"
#include "cli/child.h"

namespace fansim::cli {

nlohmann::json simulated_run(const std::string& config, const std::string& network,
                             const std::vector<std::string>& settings, const TemporaryFolder& folder,
                             const std::string& layers) {
  const std::string file = folder.path() + "/run.json";
  std::filesystem::remove(file);
  std::vector<std::string> arguments{"run", config, network, "--timing-only", "--json", file};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  if (!layers.empty()) arguments.insert(arguments.end(), {"--layers", layers});
  const int code = run_self(arguments);
  if (!std::filesystem::exists(file))
    throw std::runtime_error(fmt::format("the run of {} ended with exit code {}", network, code));
  return nlohmann::json::parse(base::read_file(file));
}

nlohmann::json simulated_total(const std::string& config, const std::string& network,
                               const std::vector<std::string>& settings, const TemporaryFolder& folder) {
  return simulated_run(config, network, settings, folder)["total"];
}

}  // namespace fansim::cli
