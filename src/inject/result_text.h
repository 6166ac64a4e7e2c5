// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "inject/campaign.h"

namespace fansim::inject {

// A result as a line, and back.
std::string text_of(const Result& result);
Result result_of(const std::string& text);

}  // namespace fansim::inject
