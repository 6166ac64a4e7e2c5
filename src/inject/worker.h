// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "inject/subject.h"

namespace fansim::inject {

// One of a campaign's faults by its number.
struct Task {
  int number;
  Drawn drawn;
};

// Lets each happen in a process of its own, forked from one run without a fault at the edge at which it happens. What
// is known to be the same as without the fault is not run, unless `to_the_end`: the layers behind one whose end finds
// the memory as it is without; on other memories their values are computed by the fast engine. An elaborated design is
// left behind: the caller has nothing else to do. Throws base::Interrupted.
void run_clocked(const Subject& subject, std::vector<Task> tasks, bool to_the_end,
                 const std::function<void(int number, const Result&)>& done);

// The same of flips in memory on the fast engine: each ahead of the layer within which its cycle lies.
void run_fast(const Subject& subject, const std::vector<Task>& tasks,
              const std::function<void(int number, const Result&)>& done);

}  // namespace fansim::inject
