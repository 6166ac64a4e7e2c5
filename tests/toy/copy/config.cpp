// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/config.h"

#include "contract/load_config.h"

namespace fansim::copy {
namespace {

struct Rules : contract::BlockRules {
  static contract::Problems between(const Config& config) {
    if ((config.axi.data_bits & (config.axi.data_bits - 1)) == 0) return {};
    return {{"axi", "axi: data_bits is no power of two"}};
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  return contract::load_config<Config, Rules>(path, overrides);
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

}  // namespace fansim::copy
