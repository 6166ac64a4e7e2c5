// SPDX-License-Identifier: Apache-2.0
// Who looks at an AXI port, edge by edge: the kit's rules, and properties of others as Verilated by watch_*.v.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "axi/checker/view.h"

namespace against {

using namespace fansim;

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void edge(const axi::Axi4View& view) = 0;

  // What was broken, by the rule's name or the assertion's file and line, and at which edge of the port.
  std::set<std::pair<std::string, long>> found;
};

// Those that know ports of this kind, by name. Each sees a reset of some edges first. Ours waits `patience` edges for
// what must come.
std::vector<std::pair<std::string, std::unique_ptr<Watcher>>> watchers(bool lite, int data_bits, int patience);

}  // namespace against
