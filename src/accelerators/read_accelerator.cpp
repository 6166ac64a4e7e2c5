// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "accelerators/registry.h"
#include "base/error.h"

namespace fansim::accelerators {
namespace {

// Answers to words that users know but that name no kind of accelerator.
std::string not_a_system(const std::string& word) {
  if (word == "trainer") return "system 'trainer' is 'float_trainer'";
  // The paper of the reconfigurable LUT kernel describes a multiplier without a machine around it.
  if (word == "lut_kernel") return "system 'lut_kernel' is 'stream' with 'array: {multiplier: lut_kernel}'";
  return "";
}

}  // namespace

std::unique_ptr<Accelerator> read_accelerator(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlMap top(contract::load_config_document(path, overrides));
  const base::YamlNode* node = top.find("system");
  const std::string refused = not_a_system(node ? node->scalar : "");
  if (!refused.empty()) top.fail("system", refused);
  std::vector<std::string> systems;
  for (const Kind& kind : registry()) systems.emplace_back(kind.system);
  auto accelerator = registry()[static_cast<std::size_t>(top.choice("system", systems))].read(path, overrides);
  contract::refuse_idle(accelerator->idle_keys(), overrides);
  return accelerator;
}

std::unique_ptr<Accelerator> read_faultless(const char* who, const std::string& path,
                                            const std::vector<std::string>& overrides) {
  auto accelerator = read_accelerator(path, overrides);
  if (!accelerator->config().faults.empty())
    throw base::UserError(fmt::format("{}: {} has faults of its own, which `run` alone lets happen", who, path));
  return accelerator;
}

}  // namespace fansim::accelerators
