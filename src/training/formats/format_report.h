// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "training/formats/format_search.h"

namespace fansim::training::formats {

// Writes the choice in the first line, then the combinations: for each width the best format that all layers share, and
// those that meet the target with one layer widened.
std::string text(const FormatSpace& space, const FormatResult& result);

// Writes every combination that was tried.
std::string json(const FormatSpace& space, const FormatResult& result, const std::string& version,
                 const std::string& command);

}  // namespace fansim::training::formats
