// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "inject/campaign.h"

namespace fansim::inject {

// A result as a line, and back; none of what is no such line.
std::string text_of(const Result& result);
std::optional<Result> result_of(const std::string& text);

}  // namespace fansim::inject
