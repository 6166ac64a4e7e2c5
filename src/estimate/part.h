// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::estimate {

// Returns what a part's name says of its silicon, without vendor's prefix, package and grade: "7z020" of 7z020clg400-1,
// "vu9p" of xcvu9p-flga2104-2-e and of a card's xcu200-fsgd2104-2-e. Returns nothing for a name of another form.
std::string silicon_of(const std::string& part);

// Returns whether the part is a Versal device.
bool is_versal(const std::string& part);

// Returns whether two names are of parts with the same silicon.
bool same_silicon(const std::string& a, const std::string& b);

}  // namespace fansim::estimate
