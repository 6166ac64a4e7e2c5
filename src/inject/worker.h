// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "inject/subject.h"

namespace fansim::inject {

// Holds one of a campaign's faults with its number.
struct Task {
  int number;
  Drawn drawn;
};

// Injects each fault in a process of its own, which is forked from one run without a fault at the edge of the fault.
// Unless `to_the_end`, it does not run what is known: if a layer ends with the memory that it has without the fault,
// the layers after it are the same; with another memory, the fast engine computes their values. It leaves an elaborated
// design behind, so the caller must have nothing else to do. Throws base::Interrupted.
void run_clocked(const Subject& subject, std::vector<Task> tasks, bool to_the_end,
                 const std::function<void(int number, const Result&)>& done);

// Injects flips in memory on the fast engine, each before the layer in which its cycle lies.
void run_fast(const Subject& subject, const std::vector<Task>& tasks,
              const std::function<void(int number, const Result&)>& done);

}  // namespace fansim::inject
