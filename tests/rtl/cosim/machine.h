// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "cosim/session.h"
#include "sim/module.h"
#include "sim/stream.h"

// An assembled core inside a running machine.
namespace fansim::cosim {

// Steps before every block of the machine, because it is elaborated first.
class Watch final : public sim::Module {
 public:
  using sim::Module::Module;
  LaneBase* lane = nullptr;

 private:
  void step() override { lane->at_edge(); }
};

// A part of the machine, and a stream between its parts.
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

}  // namespace fansim::cosim
