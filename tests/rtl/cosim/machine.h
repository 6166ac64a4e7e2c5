// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "cosim/session.h"
#include "sim/module.h"
#include "sim/stream.h"

// This file runs an assembled core inside a machine.
namespace fansim::cosim {

// Steps before every block of the machine, because it is elaborated first.
class Watch final : public sim::Module {
 public:
  using sim::Module::Module;
  LaneBase* lane = nullptr;

 private:
  void step() override { lane->at_edge(); }
};

// Finds a part of the machine, or a stream between its parts.
template <class T>
T& find(const std::string& path) {
  auto* object = dynamic_cast<T*>(sc_core::sc_find_object(("top." + path).c_str()));
  if (!object) throw std::logic_error("no " + path + " in the machine");
  return *object;
}
template <class T>
sim::Stream<T>& stream_of(const std::string& path) {
  return find<sim::Stream<T>>(path);
}

// Writes the summary of a run on the machine, including `run`, and returns the program's exit code.
inline int report(const LaneBase& lane, const Faults& faults, nlohmann::json run, const std::string& summary_file) {
  if (lane.failed()) return 1;
  const std::set<int> caught(lane.caught().begin(), lane.caught().end());
  for (int fault : faults.codes())
    if (!caught.count(fault)) fmt::print(stderr, "fault {} was not caught\n", fault);
  run["cycles"] = lane.cycles();
  run["faults_planted"] = faults.count();
  run["faults_caught"] = caught.size();
  std::ofstream(summary_file) << run.dump(2) << '\n';
  fmt::print("{}: {} of {} on {}: {} cycles agree, {} of {} faults caught\n", run["block"].get<std::string>(),
             run["layer"].get<std::string>(), run["network"].get<std::string>(), run["config"].get<std::string>(),
             lane.cycles(), caught.size(), faults.count());
  return caught.size() == faults.count() ? 0 : 1;
}

}  // namespace fansim::cosim
