// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fansim::base {

// Calls `work` in a process of its own, forked from this one, and returns what it returned: a process elaborates one
// SystemC design only. The caller has no other threads. Throws Interrupted, or std::runtime_error with what ended it.
std::string in_child_process(const std::function<std::string()>& work);

}  // namespace fansim::base
