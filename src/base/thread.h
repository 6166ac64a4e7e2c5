// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace fansim::base {

// Begins a thread on another core than this one, if that is allowed. The kernel leaves a new thread on its maker's core
// until that core's next tick, up to milliseconds, even if other cores are idle.
std::thread begin_elsewhere(std::function<void()> work);

}  // namespace fansim::base
