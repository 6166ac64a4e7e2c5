// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace fansim::base {

// A thread that begins on another core than this one, where it may. The kernel leaves a new one behind its maker until
// the core's next tick, up to milliseconds, though others are idle.
std::thread begin_elsewhere(std::function<void()> work);

}  // namespace fansim::base
