// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace fansim::base {

// As many threads as the machine runs at once.
int cores();

// Does pieces of work on several threads. What comes of them is put together in their order, so a search is the same
// for any number of threads.
class Workers {
 public:
  explicit Workers(int jobs) : jobs_(jobs) {}

  int jobs() const { return jobs_; }
  // work(0) ... work(count - 1), each once, in any order. The first exception ends the rest and is thrown on.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

 private:
  const int jobs_;
};

}  // namespace fansim::base
