// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "training/formats/format_search.h"

namespace fansim::training::formats {

// The pick in its first line, then the combinations: of each width the one that all layers share, and those that meet
// the target with one layer widened.
std::string text(const FormatSpace& space, const FormatResult& result);

// Every combination that was tried.
std::string json(const FormatSpace& space, const FormatResult& result, const std::string& version,
                 const std::string& command);

}  // namespace fansim::training::formats
