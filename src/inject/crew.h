// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fansim::inject {

// Several processes that work at the same time, forked from this one, and say lines.
// `work(worker, say)` runs in each of them, `hear(line)` here, for every line, in the order in which they come. The
// caller has no other threads until `started`, when all of them run. Throws Interrupted, or std::runtime_error with
// what ended a worker early.
using Say = std::function<void(const std::string& line)>;
void work_together(int workers, const std::function<void(int worker, const Say& say)>& work, const Say& hear,
                   const std::function<void()>& started);

}  // namespace fansim::inject
