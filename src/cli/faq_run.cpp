// SPDX-License-Identifier: Apache-2.0
#include "cli/faq_run.h"

#include <stdexcept>

#include "cli/data.h"
#include "cli/simulated_run.h"

namespace fansim::cli {

FaqRun::FaqRun(const std::string& build, const std::vector<std::string>& settings, const TemporaryFolder& folder,
               const std::string& layers)
    : layers_(simulated_run(data_path("configs/systems/faq_zcu102_" + build + ".yaml"),
                            data_path("models/alexnet.yaml"), settings, folder, layers)["layers"]) {}

const nlohmann::json& FaqRun::layer(const std::string& name) const {
  for (const nlohmann::json& layer : layers_)
    if (layer["name"] == name) return layer;
  throw std::logic_error("no layer " + name);
}

double FaqRun::computing_per_tile(const std::string& name) const {
  return computing(name) / layer(name)["stages"]["compute"]["tiles"].get<double>();
}

FaqRun::Load FaqRun::load(const std::string& name, const char* stage) const {
  const nlohmann::json& s = layer(name)["stages"][stage];
  return {s["tiles"], s["beats"], s["cycles"]};
}

}  // namespace fansim::cli
