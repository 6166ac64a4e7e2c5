// SPDX-License-Identifier: Apache-2.0
#include "papers/timed.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/data.h"

namespace fansim::papers {

runs::Run timed(const std::string& config, const std::string& network, const std::vector<std::string>& settings,
                const std::string& layers) {
  runs::Request request;
  request.config = base::data_path(config);
  request.network = network;
  request.overrides = settings;
  request.layers = layers;
  request.values = false;
  runs::Run run = runs::run(request);
  if (run.unschedulable)
    throw std::runtime_error(fmt::format("{} does not fit {}: {}", network, config, run.unschedulable->reason));
  return run;
}

}  // namespace fansim::papers
