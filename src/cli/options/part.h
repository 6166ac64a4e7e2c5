// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/part.h"

namespace fansim::cli {

using base::Part;

// Parses "3/8", which counts from 1. Throws UserError that begins with the subcommand's name.
Part parse_part(const std::string& subcommand, const std::string& text);

}  // namespace fansim::cli
