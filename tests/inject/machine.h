// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/data.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "runs/run.h"

namespace fansim::test {

// A run of a network that comes with the program on the small streaming machine.
inline runs::Request small_run(const std::vector<std::string>& faults, const std::vector<std::string>& settings = {},
                               const std::string& network = "tiny_conv") {
  runs::Request request;
  request.config = base::data_path("configs/systems/tiny_stream.yaml");
  request.network = base::data_path("models/" + network + ".yaml");
  request.overrides = settings;
  request.engine = runs::Engine::clocked;
  for (const std::string& fault : faults) request.faults.push_back(contract::parse_fault(fault));
  return request;
}

inline runs::Run without_faults(const std::vector<std::string>& settings = {},
                                const std::string& network = "tiny_conv") {
  runs::Request request = small_run({}, settings, network);
  request.engine = runs::Engine::fast;
  return runs::run(request);
}

inline std::vector<std::string> hashes(const runs::Run& run) {
  std::vector<std::string> hashes;
  for (const contract::LayerResult& layer : run.layers) hashes.push_back(layer.output_hash);
  return hashes;
}

// Returns whether the driver, or a fault, reported this.
inline bool tells(const runs::Run& run, const std::string& text) {
  for (const contract::FaultEvent& event : run.faults->events)
    if (event.what.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace fansim::test
