// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "inject/campaign.h"

namespace fansim::inject {

// Convert a result to a line and back; result_of() returns nothing if the line is no result.
std::string text_of(const Result& result);
std::optional<Result> result_of(const std::string& text);

}  // namespace fansim::inject
