// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fansim::base {

// Calls `work` in a process of its own, forked from this one, and returns what it returned. A process is needed because
// one can elaborate only one SystemC design. The caller must have no other threads. Throws Interrupted, or
// std::runtime_error with what ended the process.
std::string in_child_process(const std::function<std::string()>& work);

}  // namespace fansim::base
