// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fansim::inject {

// Runs several processes at the same time, which are forked from this one and report lines.
// `work(worker, say)` runs in each of them. `hear(line)` is called here for every line, in the order of arrival.
// `started` is called when all of them run; until then the caller must have no other threads. Throws Interrupted, or
// std::runtime_error with the reason why a worker ended early.
using Say = std::function<void(const std::string& line)>;
void work_together(int workers, const std::function<void(int worker, const Say& say)>& work, const Say& hear,
                   const std::function<void()>& started);

}  // namespace fansim::inject
