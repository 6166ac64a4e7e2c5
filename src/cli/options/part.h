// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/part.h"

namespace fansim::cli {

using base::Part;

// "3/8", from 1 on. UserError that begins with the subcommand's name.
Part parse_part(const std::string& subcommand, const std::string& text);

}  // namespace fansim::cli
