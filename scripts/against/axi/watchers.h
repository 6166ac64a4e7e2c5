// SPDX-License-Identifier: Apache-2.0
// This file has the watchers of an AXI port, which see it edge by edge: the kit's rules, and properties of other
// projects as Verilated by watch_*.v.
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

  // Holds what was broken, by the rule's name or the assertion's file and line, and at which edge of the port.
  std::set<std::pair<std::string, long>> found;
};

// Returns the watchers for ports of this kind, by name. Each sees a reset of a few edges first. The kit's watcher waits
// `patience` edges for what must come.
std::vector<std::pair<std::string, std::unique_ptr<Watcher>>> watchers(bool lite, int data_bits, int patience);

}  // namespace against
