// SPDX-License-Identifier: Apache-2.0
#include "runs/faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "contract/host_steps.h"

namespace fansim::runs {

Request with_faults(const Request& request, const accelerators::Accelerator& accelerator) {
  Request all = request;
  const std::vector<contract::Fault>& configured = accelerator.config().faults;
  all.faults.insert(all.faults.begin(), configured.begin(), configured.end());
  if (all.faults.empty()) return all;
  if (request.frames > 0) throw base::UserError("run: --frames are alike, faults make them differ");
  for (const contract::Fault& fault : all.faults)
    if (!request.values && (fault.kind == contract::Fault::Kind::flip || fault.kind == contract::Fault::Kind::stuck))
      throw base::UserError(
          fmt::format("run: --timing-only computes no values, the fault '{}' hits nothing else", fault.text()));
  const auto beyond =
      std::find_if(all.faults.begin(), all.faults.end(), [](const auto& f) { return !f.values_only(); });
  if (beyond == all.faults.end()) return all;
  const char* refuses = request.cross_check ? "--cross-check compares both engines"
                        : request.engine_said && request.engine == Engine::fast
                            ? "--engine fast computes layers as wholes"
                            : nullptr;
  if (refuses)
    throw base::UserError(fmt::format(
        "run: {}, the clocked one alone knows the fault '{}'; both know flips of {} before a layer (cycle 0)", refuses,
        beyond->text(), contract::Fault::kMemory));
  all.engine = Engine::clocked;
  return all;
}

void check_fault_layers(const std::vector<contract::Fault>& faults, const contract::Program& program) {
  std::vector<std::string> names;
  std::size_t at = 0;
  for (contract::LayerSteps layer; contract::next_layer(program, at, layer);) names.push_back(layer.plan->name);
  for (const contract::Fault& fault : faults)
    if (!fault.layer.empty() && std::find(names.begin(), names.end(), fault.layer) == names.end())
      throw base::UserError(fmt::format("fault '{}': no layer '{}' that has steps of its own{}", fault.text(),
                                        fault.layer, base::did_you_mean(fault.layer, names)));
}

}  // namespace fansim::runs
