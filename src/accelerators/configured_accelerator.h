// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/accelerator.h"
#include "accelerators/configure.h"
#include "accelerators/plain_model.h"
#include "contract/idle_keys.h"
#include "contract/load_config.h"
#include "network/codes/quantise.h"

namespace fansim::accelerators {

// Implements what is the same for every accelerator with a configuration of its own.
template <class Config>
class ConfiguredAccelerator : public Accelerator {
 public:
  using Configuration = Config;
  explicit ConfiguredAccelerator(Config config) : config_(std::move(config)) {}

  const contract::ConfigBase& config() const override { return config_; }
  const contract::DdrConfig& ddr() const override { return config_.ddr; }
  const contract::HostConfig& host() const override { return config_.host; }
  const arith::QuantiserFormat& quantiser() const override { return config_.quantiser; }
  double memory_bytes_per_s() const override { return contract::peak_bytes_per_s(config_.ddr, config_.memory_ports()); }
  contract::ResolvedConfig resolved() const override { return contract::resolved(config_); }
  std::vector<std::string> keys() const override { return contract::keys_of(config_); }
  contract::IdleKeys idle_keys() const override { return contract::idle_keys(config_); }

  std::vector<RefusedValue> refused_values(const explore::Space& space) const override {
    refuse_idle_parameters(space, config_, &Config::read);
    return accelerators::refused_values(space, config_, &Config::read);
  }

  // The defaults take networks as they are loaded, and evaluate each point of a space separately.
  void prepare(network::Network& network, const network::LoadOptions&) const override {
    network::require_int8(network);
  }
  std::unique_ptr<AcceleratorModel> model(const explore::Space& space, const std::string& network) const override {
    return std::make_unique<PlainModel>(space, network);
  }

 protected:
  const Config config_;
};

// Reads a configuration, and makes of it an accelerator of that class.
template <class Configured>
std::unique_ptr<Accelerator> read_configured(const std::string& path, const std::vector<std::string>& overrides) {
  return std::make_unique<Configured>(Configured::Configuration::read(path, overrides));
}

template <class Config>
std::vector<Block> blocks_of() {
  std::vector<Block> blocks;
  Config().visit_blocks([&blocks](const char* key, auto& block) {
    blocks.push_back({key, contract::rows_of<Config>(key, block)});
  });
  return blocks;
}

}  // namespace fansim::accelerators
