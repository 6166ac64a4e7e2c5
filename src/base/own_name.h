// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace fansim::base {

// PATH.PROCESS.N.tmp: names that no other process uses, so that what one left that was killed can be told.
// Gives `make` one after the other until it says true, or false for another reason (errno) than that there is such a
// file. The name, or none.
std::string make_own(const std::string& path, const std::function<bool(const std::string&)>& make);

// Removes what processes that are no more have left under names of `path`.
void remove_stale(const std::string& path);

}  // namespace fansim::base
