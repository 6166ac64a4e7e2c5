// SPDX-License-Identifier: Apache-2.0
#include "papers/faq_simulation.h"

#include "base/data.h"
#include "papers/timed.h"

namespace fansim::papers {

FaqSimulation::FaqSimulation(const std::string& build, const std::vector<std::string>& settings,
                             const std::string& layers)
    : run_(timed("configs/systems/faq_zcu102_" + build + ".yaml", base::data_path("models/alexnet.yaml"), settings,
                 layers)) {}

double FaqSimulation::computing(const std::string& name) const {
  return static_cast<double>(run_.cycles_of(run_.layer(name), "compute"));
}

double FaqSimulation::computing_per_tile(const std::string& name) const {
  return computing(name) / static_cast<double>(contract::stage(run_.layer(name), "compute").tiles);
}

FaqSimulation::Load FaqSimulation::load(const std::string& name, const char* stage) const {
  const contract::StageResult& s = contract::stage(run_.layer(name), stage);
  return {static_cast<double>(s.tiles), static_cast<double>(s.beats), static_cast<double>(s.cycles)};
}

}  // namespace fansim::papers
